import type { TokenFacts, TokenProblem } from '../../contract/evidence.ts';
import { addEvidence, type Failure, isFailure, refuse } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { Caller } from '../../domain/access.ts';
import { type RejectedToken, readBearer, type TokenRule } from '../../oauth/bearer.ts';
import { describeUnverifiedToken, describeVerifiedToken, type VerifiedToken } from '../../oauth/token-claims.ts';
import type { Verifier } from '../../oauth/verify.ts';
import type { WorldState } from '../../service/world-state.ts';
import { callerByToken } from '../../store/authorization.ts';
import type { Store } from '../../store/store.ts';
import type { Exchange } from '../exchange.ts';

export interface AuthenticationContext {
  readonly store: Store;
  readonly world: WorldState;
  readonly decisions: Decisions;
  verifier(): Verifier;
}

const MAX_CACHED_CALLERS = 10_000;

const PROBLEM_BY_RULE = {
  'auth.token.missing': 'missing',
  'auth.token.invalid': 'invalid',
  'auth.token.expired': 'expired',
} as const satisfies Record<TokenRule, TokenProblem>;

/** Caches callers until the world changes. */
export function createAuthenticate({ store, world, decisions, verifier }: AuthenticationContext) {
  let callers = new Map<VerifiedToken, Caller>();
  let version = world.version;

  async function lookUpCaller(exchange: Exchange, token: VerifiedToken): Promise<Failure | undefined> {
    // If the world changes during the query, this outdated result must not enter the new `callers`.
    const cache = callers;
    const { clientId, principalId, grantId } = token;
    const row = await callerByToken.first(store.db, { clientId, principalId: principalId ?? '', grantId: grantId ?? '' });
    if (!row)
      return refuseToken(
        'auth.token.invalid',
        'The client of the access token does not exist.',
        'unknown client',
        describeVerifiedToken(token),
      );
    if (principalId !== undefined && row.principal_id === null) {
      const detail = 'The principal of the access token does not exist.';
      return refuseToken('auth.token.invalid', detail, 'unknown principal', describeVerifiedToken(token));
    }
    if (row.revoked_grant_id !== null) {
      const detail = 'The access token was revoked: its code, or a refresh token of the same grant, was used twice.';
      return refuseToken('auth.token.invalid', detail, 'invalid', describeVerifiedToken(token));
    }
    if (cache.size >= MAX_CACHED_CALLERS) cache.clear();
    const caller = { clientId, providerId: row.provider_id, principalId };
    cache.set(token, caller);
    exchange.caller = caller;
    return undefined;
  }

  function identifyCaller(
    exchange: Exchange,
    verified: VerifiedToken | RejectedToken,
    sent: string,
  ): Failure | undefined | Promise<Failure | undefined> {
    if (isFailure(verified))
      return refuseToken(
        verified.reason,
        verified.detail,
        PROBLEM_BY_RULE[verified.reason],
        describeUnverifiedToken(sent, decisions['auth.principal-claim']),
      );
    if (version !== world.version) {
      callers = new Map();
      version = world.version;
    }
    exchange.token = verified;
    exchange.caller = callers.get(verified);
    return exchange.caller ? undefined : lookUpCaller(exchange, verified);
  }

  return (exchange: Exchange): Failure | undefined | Promise<Failure | undefined> => {
    const bearer = readBearer(exchange.req);
    if (isFailure(bearer)) {
      const isOtherScheme = bearer.reason === 'auth.token.missing' && exchange.req.headers.authorization !== undefined;
      return refuseToken(bearer.reason, bearer.detail, isOtherScheme ? 'not bearer' : PROBLEM_BY_RULE[bearer.reason]);
    }
    const verified = verifier().verify(bearer.token);
    return verified instanceof Promise
      ? verified.then((result) => identifyCaller(exchange, result, bearer.token))
      : identifyCaller(exchange, verified, bearer.token);
  };
}

/** Returns the request's token if it is valid, also for requests that are answered before they are authenticated. */
export async function readValidToken(req: Exchange['req'], verifier: Verifier): Promise<VerifiedToken | undefined> {
  const bearer = readBearer(req);
  const verified = isFailure(bearer) ? bearer : await verifier.verify(bearer.token);
  return isFailure(verified) ? undefined : verified;
}

/** The challenge has an error code (RFC 6750) only if a token was sent. */
function refuseToken(rule: TokenRule, detail: string, problem: TokenProblem, token?: TokenFacts): Failure {
  const challenge = rule === 'auth.token.missing' ? 'Bearer' : 'Bearer error="invalid_token"';
  const evidence = { cause: 'token', problem, ...(token && { token }) } as const;
  return addEvidence({ ...refuse(401, rule, detail), headers: { 'WWW-Authenticate': challenge } }, evidence);
}
