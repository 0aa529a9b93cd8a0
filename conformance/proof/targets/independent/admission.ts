import type { Route } from './call.ts';
import { Problem } from './problem.ts';
import type { Service } from './service.ts';
import type { Token } from './types.ts';

function createUnauthorized(error: string): Problem {
  return new Problem(401, error, undefined, { 'WWW-AUTHENTICATE': `Bearer error="${error}"` });
}

/** Checks a request's token, claim, scope and rate limit, in this order. */
export function authorizeCall(service: Service, authorization: string | undefined, route: Route, isFlatPath: boolean): Token {
  const token = readToken(service, authorization);
  if (route.family === 'users' && !token.principalClaim) {
    throw service.breach === 'claim-missing-403' ? new Problem(403) : createUnauthorized('invalid_token');
  }
  const alike = service.breach === 'connections-scope-for-assignments' && route.scope === 'experience-assignments:manage';
  if (!token.scopes.has(route.scope) && !(alike && token.scopes.has('experience-connections:manage'))) {
    throw route.lackingScope === 403 ? new Problem(403) : createUnauthorized('insufficient_scope');
  }
  if (isLimited(service, token, route, isFlatPath)) throw new Problem(429, undefined, undefined, { 'RETRY-AFTER': '1' });
  if (route.family === 'users' && service.faults.authorizationUnreachable) {
    if (!(service.breach === 'user-get-fails-open' && route.operation === 'getUser')) throw new Problem(503);
  }
  return token;
}

function readToken(service: Service, authorization: string | undefined): Token {
  const [, value] = /^bearer +([^ ]+) *$/i.exec(authorization ?? '') ?? [];
  const token = service.tokens.get(value ?? '');
  if (token === undefined) throw createUnauthorized(value === undefined ? 'token_missing' : 'invalid_token');
  const grace = service.breach === 'expired-token-grace' ? 60_000 : 0;
  if (Date.now() >= token.expiresAt + grace) throw createUnauthorized('invalid_token');
  return token;
}

function isLimited(service: Service, token: Token, route: Route, isFlatPath: boolean): boolean {
  if (route.family === 'users') return service.faults.usersLimited || !service.usersLimiter.take(token.clientId);
  if (route.family !== 'assignability') return false;
  const form = service.breach === 'bucket-per-path-form' && isFlatPath ? ' flat' : '';
  return !service.assignabilityLimiter.take(token.clientId + form);
}
