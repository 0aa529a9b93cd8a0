import type { TokenProblem } from '../../contract/evidence.ts';
import { addEvidence, type Failure, refuse, refuseByDecision } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { describeVerifiedToken } from '../../oauth/token-claims.ts';
import type { Exchange } from '../exchange.ts';

const USERS_SCOPE_RULES = { getUsers: 'users.list.scope', getUser: 'users.get.scope' } as const;

/** Checks the token's scope. The users operations also need the principal claim (specification: Authentication). */
export function checkScope({ operationId, operation: { scope }, token }: Exchange, decisions: Decisions): Failure | undefined {
  const { principalId, scopes } = token!;
  const rule = operationId === 'getUsers' || operationId === 'getUser' ? USERS_SCOPE_RULES[operationId] : undefined;
  const hasClaim = principalId !== undefined || rule === undefined;
  if (hasClaim && scopes.has(scope)) return undefined;
  const lacksClaim = `The access token lacks the claim ${decisions['auth.principal-claim']}.`;
  const lacksScope = `The access token lacks the scope ${scope}.`;
  const insufficientScope = `Bearer error="insufficient_scope", scope="${scope}"`;
  const createRefusal = (failure: Failure, problem: TokenProblem, challenge: string): Failure => {
    const evidence = { cause: 'token', problem, token: describeVerifiedToken(token!), neededScope: scope } as const;
    return addEvidence({ ...failure, headers: { 'WWW-Authenticate': challenge } }, evidence);
  };
  if (hasClaim) {
    const failure = rule === undefined ? refuseByDecision('auth.missing-scope', lacksScope) : refuse(403, rule, lacksScope);
    return createRefusal(failure, 'no scope', insufficientScope);
  }
  if (scopes.has(scope))
    return createRefusal(refuse(401, 'auth.claim.principal', lacksClaim), 'no principal', 'Bearer error="invalid_token"');
  const failure = refuseByDecision('users.token-without-claim-and-scope', `${lacksClaim} ${lacksScope}`);
  return createRefusal(failure, 'no principal and no scope', insufficientScope);
}
