import type { operations as AuthorizationOperations } from '../contract/generated/authorization.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';

type Operation = OperationId | keyof AuthorizationOperations;

/** The method and the route of each operation in openapi/authorization.yaml. The compiler reports a missing operation. */
const AUTHORIZATION: Readonly<Record<keyof AuthorizationOperations, readonly [method: string, route: string]>> = {
  authorize: ['GET', '/auth/authorize'],
  token: ['POST', '/auth/oauth/token'],
};

const byRoute = new Map<string, Operation>();
for (const [operation, { method, routes }] of Object.entries(operations)) {
  for (const route of routes) byRoute.set(`${method.toUpperCase()} ${route}`, operation as OperationId);
}
for (const [operation, [method, route]] of Object.entries(AUTHORIZATION)) byRoute.set(`${method} ${route}`, operation as Operation);

/** All operations that a journal entry can have. */
export const RECORDED_OPERATIONS: readonly Operation[] = [...new Set(byRoute.values())];

/** Returns the operation of a method and an Express route such as `/users/:userId`. A HEAD request has the operation of the GET request. */
export function operationOf(method: string, route: string | undefined): Operation | undefined {
  return route === undefined ? undefined : byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${route}`);
}
