import { authorizeCall } from './admission.ts';
import * as assignments from './assignment-operations.ts';
import type { Call, Route } from './call.ts';
import * as connections from './connection-operations.ts';
import { Problem } from './problem.ts';
import type { Service } from './service.ts';
import type { Reply } from './types.ts';
import * as users from './user-operations.ts';

function createRoute(
  handle: (call: Call) => Reply,
  family: Route['family'],
  method: string,
  paths: Route['paths'],
  lackingScope: Route['lackingScope'],
): Route {
  return { operation: handle.name, family, method, paths, scope: SCOPES[family], lackingScope, handle };
}

const SCOPES: Record<Route['family'], string> = {
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

const ROUTES: Route[] = [
  createRoute(assignments.getExperienceAssignability, 'assignability', 'GET', ASSIGNABILITY, 403),
  createRoute(assignments.getExperienceAssignments, 'assignments', 'GET', ASSIGNMENTS, 401),
  createRoute(assignments.createExperienceAssignment, 'assignments', 'POST', ASSIGNMENTS, 401),
  createRoute(assignments.getExperienceAssignment, 'assignments', 'GET', ASSIGNMENT, 401),
  createRoute(assignments.deleteExperienceAssignment, 'assignments', 'DELETE', ASSIGNMENT, 403),
  createRoute(connections.getExperienceConnections, 'connections', 'GET', CONNECTIONS, 401),
  createRoute(connections.createExperienceConnection, 'connections', 'POST', CONNECTIONS, 403),
  createRoute(connections.getExperienceConnection, 'connections', 'GET', CONNECTION, 401),
  createRoute(connections.updateExperienceConnection, 'connections', 'PUT', CONNECTION, 403),
  createRoute(connections.deleteExperienceConnection, 'connections', 'DELETE', CONNECTION, 403),
  createRoute(users.getUsers, 'users', 'GET', ['/users', '/users'], 403),
  createRoute(users.getUser, 'users', 'GET', ['/users/*', '/users/*'], 403),
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

export interface ApiRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  text: string;
}

/** The request's path does not include the base address. */
export function answerRequest(service: Service, request: ApiRequest): Reply {
  const allowed = new Set<string>();
  for (const route of ROUTES) {
    for (const [form, pattern] of route.paths.entries()) {
      const id = matchPath(pattern, request.path);
      if (id === undefined) continue;
      allowed.add(route.method);
      if (route.method !== request.method) continue;
      const flat = form === 1;
      const token = authorizeCall(service, request.authorization, route, flat);
      return route.handle({ service, token, id, query: request.query, text: request.text, flat });
    }
  }
  if (allowed.size > 0) throw new Problem(405, undefined, undefined, { ALLOW: [...allowed].join(', ') });
  throw new Problem(404);
}
