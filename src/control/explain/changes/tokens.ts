import type { Evidence } from '../../../contract/evidence.ts';
import { operations } from '../../../contract/generated/operations.ts';
import { type Case, standIns, whoIs } from '../case.ts';
import type { SentRequest } from '../trial.ts';
import { own } from '../view.ts';
import type { Change } from './change.ts';

type Token = NonNullable<SentRequest['token']>;
type TokenEvidence = Extract<Evidence, { cause: 'token' }>;

/** More would only try the same again. */
const MOST = 6;

/** Tokens that are good where the one that was sent is not: of the same client and principal first, with what was lacking. */
export function otherTokens({ request, world, operationId, standIn }: Case, { problem }: TokenEvidence): Change[] {
  const needed = operationId === undefined ? [] : [operations[operationId].scope];
  const same = standIn ? undefined : request.token;
  const lacksPrincipal = problem === 'no principal' || problem === 'no principal and no scope';
  const principals = Object.entries(world.principals ?? {})
    .toSorted(([, a], [, b]) => Object.keys(b.accounts ?? {}).length - Object.keys(a.accounts ?? {}).length)
    .map(([alias]) => alias);
  const completed = (token: Token): Token => ({ ...token, scopes: [...new Set([...(token.scopes ?? []), ...needed])] });
  const tokens =
    same === undefined
      ? standIns(world, operationId)
      : lacksPrincipal
        ? principals.map((principal) => ({ ...same, principal }))
        : [
            same,
            ...standIns(world, operationId).filter((token) => whoIs(world, token).provider === own(world.clients, same.client)?.provider),
          ];
  return tokens.slice(0, MOST).map((token) => ({ text: described(completed(token), problem), request: { token: completed(token) } }));
}

function described({ client, principal, scopes = [] }: Token, problem: TokenEvidence['problem']): string {
  const whose = `of the client ${client}${principal === undefined ? '' : ` and the principal ${principal}`}`;
  const scope = problem === 'no scope' || problem === 'no principal and no scope' ? ` with the scopes ${scopes.join(' ')}` : '';
  return problem === 'not bearer'
    ? `Send it as "Authorization: Bearer <token>", with a good access token ${whose}.`
    : `Send a good access token ${whose}${scope}.`;
}
