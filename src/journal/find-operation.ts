import type { operations as AuthorizationOperations } from '../contract/generated/authorization.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';

type Operation = OperationId | keyof AuthorizationOperations;

const AUTHORIZATION_ROUTES: Readonly<Record<keyof AuthorizationOperations, readonly [method: string, route: string]>> = {
  authorize: ['GET', '/auth/authorize'],
  token: ['POST', '/auth/oauth/token'],
};

const operationByRoute = new Map<string, Operation>();
for (const [operation, { method, routes }] of Object.entries(operations)) {
  for (const route of routes) operationByRoute.set(`${method.toUpperCase()} ${route}`, operation as OperationId);
}
for (const [operation, [method, route]] of Object.entries(AUTHORIZATION_ROUTES))
  operationByRoute.set(`${method} ${route}`, operation as Operation);

export const RECORDED_OPERATIONS: readonly Operation[] = [...new Set(operationByRoute.values())];

export function findOperation(method: string, route: string | undefined): Operation | undefined {
  return route === undefined ? undefined : operationByRoute.get(`${method === 'HEAD' ? 'GET' : method} ${route}`);
}
