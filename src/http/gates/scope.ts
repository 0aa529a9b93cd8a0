import type { Evidence, TokenProblem } from '../../contract/evidence.ts';
import { because, decided, type Failure, refuse } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { verifiedFacts } from '../../oauth/token-claims.ts';
import type { Exchange } from '../exchange.ts';

const USERS_SCOPE_RULES = { getUsers: 'users.list.scope', getUser: 'users.get.scope' } as const;

/**
 * Checks the operation's scope and, on the users operations, the principal claim (Authentication). On the users operations a missing claim is 401 and a
 * missing scope 403; which of the two takes precedence is a decision. Elsewhere the status for a missing scope is a decision.
 */
export function checkScope(exchange: Exchange, decisions: Decisions): Failure | undefined {
  const refusal = refusalOf(exchange, decisions);
  return refusal && because(refusal, evidenceOf(exchange));
}

function evidenceOf({ operationId, operation, token }: Exchange): Evidence {
  const noClaim = token!.principalId === undefined && operationId in USERS_SCOPE_RULES;
  const noScope = !token!.scopes.has(operation.scope);
  const problem: TokenProblem = noClaim ? (noScope ? 'no principal and no scope' : 'no principal') : 'no scope';
  return { cause: 'token', problem, token: verifiedFacts(token!), neededScope: operation.scope };
}

function refusalOf({ operationId, operation, token }: Exchange, decisions: Decisions): Failure | undefined {
  const has = token!.scopes.has(operation.scope);
  if (operationId !== 'getUsers' && operationId !== 'getUser') {
    return has ? undefined : { ...decided('auth.missing-scope', lacks(operation.scope)), headers: challenge(operation.scope) };
  }
  const noClaim = token!.principalId === undefined;
  if (noClaim && !has)
    return {
      ...decided('users.token-without-claim-and-scope', `${noPrincipal(decisions)} ${lacks(operation.scope)}`),
      headers: challenge(operation.scope),
    };
  if (noClaim)
    return {
      ...refuse(401, 'auth.claim.principal', noPrincipal(decisions)),
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    };
  return has ? undefined : { ...refuse(403, USERS_SCOPE_RULES[operationId], lacks(operation.scope)), headers: challenge(operation.scope) };
}

function lacks(scope: string): string {
  return `The access token lacks the scope ${scope}.`;
}

function noPrincipal(decisions: Decisions): string {
  return `The access token lacks the claim ${decisions['auth.principal-claim']}.`;
}

function challenge(scope: string) {
  return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
}
