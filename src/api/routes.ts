import type { RequestHandler, Response } from 'express';
import type { Failure } from '../contract/failure.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { allowAnyOrigin } from '../http/any-origin.ts';
import { refuseOtherMethods } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { createPipeline } from '../http/pipeline.ts';
import type { SuccessResponse } from '../http/success-response.ts';
import type { ServiceContext } from '../service/context.ts';
import type { Executor } from '../store/engine.ts';
import type { OnTransactionEnd } from '../store/journaled-store.ts';
import type { CheckedRequest, RequestContext } from './handlers.ts';
import { handlers } from './handlers.ts';
import { createRouteTable } from './route-table.ts';

type Pipeline = ReturnType<typeof createPipeline>;

type StoreEntry = (tx: Executor, exchange: Exchange, response: SuccessResponse | Failure) => Promise<OnTransactionEnd>;

/** `route` has the same form as Express's `req.route`. */
interface RouteOperations {
  readonly route: { readonly path: string };
  readonly operations: Map<string, ReturnType<Pipeline['handleOperation']>>;
  readonly otherMethods: RequestHandler;
}

/** Creates the routes for the 12 operations. If a path has no operation for the request's method, the response is 405. */
export function createServiceRoutes(pipeline: Pipeline, context: () => ServiceContext, storeEntry?: StoreEntry): RequestHandler {
  const routes = new Map<string, RouteOperations>();
  const createContext = (exchange: Exchange): RequestContext =>
    storeEntry ? { ...context(), storeEntry: (tx, response) => storeEntry(tx, exchange, response) } : context();
  for (const operationId of Object.keys(operations) as OperationId[]) {
    const { method, routes: paths } = operations[operationId];
    const serve = pipeline.handleOperation(operationId, (exchange) => runHandler(operationId, exchange, createContext(exchange)));
    for (const path of paths) {
      const sameRoute = routes.get(path)?.operations ?? new Map();
      sameRoute.set(method.toUpperCase(), serve);
      routes.set(path, { route: { path }, operations: sameRoute, otherMethods: refuseOtherMethods([...sameRoute.keys()]) });
    }
  }
  const find = createRouteTable(routes);
  return (req, res, next) => {
    const query = req.url.indexOf('?');
    const found = find(query < 0 ? req.url : req.url.slice(0, query));
    if (!found || req.method === 'OPTIONS') return next();
    const { route, operations, otherMethods } = found.value;
    const parameter = found.parameter === undefined ? undefined : decodeSegment(found.parameter, res);
    req.route = route;
    const serve = operations.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (serve) return serve(req, res, parameter);
    allowAnyOrigin(res);
    otherMethods(req, res, next);
  };
}

function decodeSegment(segment: string, res: Response): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    allowAnyOrigin(res);
    throw Object.assign(error as Error, { status: 400 });
  }
}

function runHandler<Op extends OperationId>(
  operationId: Op,
  exchange: Exchange,
  context: RequestContext,
): Promise<SuccessResponse | Failure> {
  const { caller, path, query, body } = exchange;
  // The cast is safe, because path, query and body have been validated.
  const request = { actor: { kind: 'provider', caller: caller! }, path, query, body } as unknown as CheckedRequest<Op>;
  return handlers[operationId](request, context) as Promise<SuccessResponse | Failure>;
}
