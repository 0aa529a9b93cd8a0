import * as assignments from './assignments.ts';
import * as connections from './connections.ts';
import { Problem } from './problem.ts';
import type { Call, Reply, Service, Token } from './service.ts';
import * as users from './users.ts';

type Family = 'assignability' | 'assignments' | 'connections' | 'users';

interface Route {
  family: Family;
  method: string;
  /** The path in prefixed and in flat form; `*` stands for an id. */
  paths: [prefixed: string, flat: string];
  handle: (call: Call) => Reply | Promise<Reply>;
  /** The status for a token without the scope: 403 if documented, otherwise 401. */
  lackingScope: 401 | 403;
}

const SCOPES: Record<Family, string> = {
  assignability: 'experience-assignability:check',
  assignments: 'experience-assignments:manage',
  connections: 'experience-connections:manage',
  users: 'users:manage',
};
const ASSIGNABILITY: Route['paths'] = ['/experience/experiences/*/assignability', '/experiences/*/assignability'];
const ASSIGNMENTS: Route['paths'] = ['/experience/assignments', '/experience-assignments'];
const ASSIGNMENT: Route['paths'] = ['/experience/assignments/*', '/experience-assignments/*'];
const CONNECTIONS: Route['paths'] = ['/experience/connections', '/experience-connections'];
const CONNECTION: Route['paths'] = ['/experience/connections/*', '/experience-connections/*'];

function createRoute(
  family: Family,
  method: string,
  paths: Route['paths'],
  handle: Route['handle'],
  lackingScope: Route['lackingScope'],
): Route {
  return { family, method, paths, handle, lackingScope };
}

const ROUTES: Route[] = [
  createRoute('assignability', 'GET', ASSIGNABILITY, assignments.getExperienceAssignability, 403),
  createRoute('assignments', 'GET', ASSIGNMENTS, assignments.getExperienceAssignments, 401),
  createRoute('assignments', 'POST', ASSIGNMENTS, assignments.createExperienceAssignment, 401),
  createRoute('assignments', 'GET', ASSIGNMENT, assignments.getExperienceAssignment, 401),
  createRoute('assignments', 'DELETE', ASSIGNMENT, assignments.deleteExperienceAssignment, 403),
  createRoute('connections', 'GET', CONNECTIONS, connections.getExperienceConnections, 401),
  createRoute('connections', 'POST', CONNECTIONS, connections.createExperienceConnection, 403),
  createRoute('connections', 'GET', CONNECTION, connections.getExperienceConnection, 401),
  createRoute('connections', 'PUT', CONNECTION, connections.updateExperienceConnection, 403),
  createRoute('connections', 'DELETE', CONNECTION, connections.deleteExperienceConnection, 403),
  createRoute('users', 'GET', ['/users', '/users'], users.getUsers, 403),
  createRoute('users', 'GET', ['/users/*', '/users/*'], users.getUser, 403),
];

/** Returns the id in the path, '' for a pattern without an id, or undefined for a different path. */
function matchPath(pattern: string, path: string): string | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return path === pattern ? '' : undefined;
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  if (id === '' || id.includes('/')) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return '%';
  }
}

interface ApiRequest {
  method: string;
  /** The path without the base address. */
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  text: string;
}

export function answerRequest(service: Service, { method, path, query, authorization, text }: ApiRequest): ReturnType<Route['handle']> {
  const allowed = new Set<string>();
  for (const route of ROUTES) {
    for (const [form, pattern] of route.paths.entries()) {
      const id = matchPath(pattern, path);
      if (id === undefined) continue;
      allowed.add(route.method);
      if (route.method !== method) continue;
      const token = authorizeCall(service, authorization, route);
      return route.handle({ service, token, id, query, text, isFlatPath: form === 1 });
    }
  }
  if (allowed.size > 0) throw new Problem(405, undefined, { ALLOW: [...allowed].join(', ') });
  throw new Problem(404);
}

const createUnauthorized = (error: string): Problem => new Problem(401, error, { 'WWW-AUTHENTICATE': `Bearer error="${error}"` });

/** Checks a request's token, claim, scope and rate limit, in this order. */
function authorizeCall(service: Service, authorization: string | undefined, { family, lackingScope }: Route): Token {
  const [, value] = /^bearer +([^ ]+) *$/i.exec(authorization ?? '') ?? [];
  if (value === undefined) throw createUnauthorized('token_missing');
  const token = service.tokens.get(value);
  if (token === undefined || Date.now() >= token.expiresAt) throw createUnauthorized('invalid_token');
  if (family === 'users' && !token.principalClaim) throw createUnauthorized('invalid_token');
  if (!token.scopes.has(SCOPES[family])) throw lackingScope === 403 ? new Problem(403) : createUnauthorized('insufficient_scope');
  const isLimited =
    family === 'users' ? service.faults.usersLimited : family === 'assignability' && !service.assignabilityLimiter.take(token.clientId);
  if (isLimited) throw new Problem(429, undefined, { 'RETRY-AFTER': '1' });
  if (family === 'users' && service.faults.authorizationUnreachable) throw new Problem(503);
  return token;
}
