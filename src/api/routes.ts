import { Router } from 'express';
import type { Failure } from '../contract/failure.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { methodNotAllowed } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { createPipeline } from '../http/pipeline.ts';
import type { Answer } from '../http/success-response.ts';
import type { ServiceContext } from '../service/context.ts';
import type { CheckedRequest } from './handlers.ts';
import { handlers } from './handlers.ts';

/**
 * The routes of the 12 operations: 22 paths and methods, because most operations have two path forms. A request with any other method on
 * these paths gets 405.
 */
export function serviceRoutes(pipeline: ReturnType<typeof createPipeline>, context: () => ServiceContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const methods = new Map<string, string[]>();
  for (const operationId of Object.keys(operations) as OperationId[]) {
    const { method, routes } = operations[operationId];
    const serve = pipeline.serve(operationId, (exchange) => handle(operationId, exchange, context()));
    for (const route of routes) {
      router[method](route, serve);
      methods.set(route, [...(methods.get(route) ?? []), method.toUpperCase()]);
    }
  }
  for (const [route, allowed] of methods) router.all(route, methodNotAllowed(allowed));
  return router;
}

function handle<Op extends OperationId>(operationId: Op, exchange: Exchange, context: ServiceContext): Promise<Answer | Failure> {
  const { caller, path, query, body } = exchange;
  // The cast is safe, because the gates have validated the path, the query and the body against the schemas, and the types are generated
  // from the schemas.
  const request = { actor: { kind: 'provider', caller: caller! }, path, query, body } as unknown as CheckedRequest<Op>;
  return handlers[operationId](request, context) as Promise<Answer | Failure>;
}
