import * as assignments from './assignments.ts';
import * as connections from './connections.ts';
import { Problem } from './problem.ts';
import type { Call, Reply, Service, Token } from './service.ts';
import * as users from './users.ts';

type Family = 'assignability' | 'assignments' | 'connections' | 'users';

interface Resource {
  family: Family;
  /** The path in prefixed and in flat form; `*` stands for an id. */
  paths: [prefixed: string, flat: string];
}

interface Route extends Resource {
  method: string;
  handle: (call: Call) => Reply | Promise<Reply>;
  /** The status for a token without the scope: 403 if documented, otherwise 401. */
  lackingScope: 401 | 403;
}

export const SCOPES: Record<Family, string> = {
  assignability: 'experience-assignability:check',
  assignments: 'experience-assignments:manage',
  connections: 'experience-connections:manage',
  users: 'users:manage',
};
const ASSIGNABILITY: Resource = {
  family: 'assignability',
  paths: ['/experience/experiences/*/assignability', '/experiences/*/assignability'],
};
const ASSIGNMENTS: Resource = { family: 'assignments', paths: ['/experience/assignments', '/experience-assignments'] };
const ASSIGNMENT: Resource = { family: 'assignments', paths: ['/experience/assignments/*', '/experience-assignments/*'] };
const CONNECTIONS: Resource = { family: 'connections', paths: ['/experience/connections', '/experience-connections'] };
const CONNECTION: Resource = { family: 'connections', paths: ['/experience/connections/*', '/experience-connections/*'] };
const USERS: Resource = { family: 'users', paths: ['/users', '/users'] };
const USER: Resource = { family: 'users', paths: ['/users/*', '/users/*'] };

const ROUTES: Route[] = [
  { ...ASSIGNABILITY, method: 'GET', handle: assignments.getExperienceAssignability, lackingScope: 403 },
  { ...ASSIGNMENTS, method: 'GET', handle: assignments.getExperienceAssignments, lackingScope: 401 },
  { ...ASSIGNMENTS, method: 'POST', handle: assignments.createExperienceAssignment, lackingScope: 401 },
  { ...ASSIGNMENT, method: 'GET', handle: assignments.getExperienceAssignment, lackingScope: 401 },
  { ...ASSIGNMENT, method: 'DELETE', handle: assignments.deleteExperienceAssignment, lackingScope: 403 },
  { ...CONNECTIONS, method: 'GET', handle: connections.getExperienceConnections, lackingScope: 401 },
  { ...CONNECTIONS, method: 'POST', handle: connections.createExperienceConnection, lackingScope: 403 },
  { ...CONNECTION, method: 'GET', handle: connections.getExperienceConnection, lackingScope: 401 },
  { ...CONNECTION, method: 'PUT', handle: connections.updateExperienceConnection, lackingScope: 403 },
  { ...CONNECTION, method: 'DELETE', handle: connections.deleteExperienceConnection, lackingScope: 403 },
  { ...USERS, method: 'GET', handle: users.getUsers, lackingScope: 403 },
  { ...USER, method: 'GET', handle: users.getUser, lackingScope: 403 },
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
    family === 'users' ? service.faults.usersLimited : family === 'assignability' && !service.takeAssignabilityCheck(token.clientId);
  if (isLimited) throw new Problem(429, undefined, { 'RETRY-AFTER': '1' });
  if (family === 'users' && service.faults.authorizationUnreachable) throw new Problem(503);
  return token;
}
