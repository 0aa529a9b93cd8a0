import type { Request, RequestHandler, Response } from 'express';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { allowAnyOrigin } from '../http/any-origin.ts';
import { refuseOtherMethods } from '../http/errors.ts';
import type { createPipeline, OperationHandler, UseCase } from '../http/pipeline.ts';
import { type CheckedRequest, handlers } from './handlers.ts';
import { createRouteTable } from './route-table.ts';

type Pipeline = ReturnType<typeof createPipeline>;

/** `route` has the same form as Express's `req.route`. */
interface RouteOperations {
  readonly route: { readonly path: string };
  readonly operations: Map<string, OperationHandler>;
  readonly otherMethods: RequestHandler;
}

/** Returns a function that finds the routes of the 12 operations by path. */
function createOperationTable(createHandler: (operationId: OperationId) => OperationHandler) {
  const routes = new Map<string, RouteOperations>();
  for (const operationId of Object.keys(operations) as OperationId[]) {
    const { method, routes: paths } = operations[operationId];
    const serve = createHandler(operationId);
    for (const path of paths) {
      const sameRoute = routes.get(path)?.operations ?? new Map();
      sameRoute.set(method.toUpperCase(), serve);
      routes.set(path, { route: { path }, operations: sameRoute, otherMethods: refuseOtherMethods([...sameRoute.keys()]) });
    }
  }
  const find = createRouteTable(routes);
  return ({ url }: { readonly url: string }) => {
    const query = url.indexOf('?');
    return find(query < 0 ? url : url.slice(0, query));
  };
}

/** Handles the requests to the 12 operations. If a path has no operation for the request's method, the response is 405. */
export function createServiceRoutes(pipeline: Pipeline): RequestHandler {
  const find = createOperationTable((operationId) => pipeline.handleOperation(operationId, toUseCase(operationId)));
  return (req, res, next) => {
    const found = find(req);
    if (!found || req.method === 'OPTIONS') return next();
    const { route, operations, otherMethods } = found.value;
    const parameter = found.parameter === undefined ? undefined : decodeSegment(found.parameter);
    req.route = route;
    const serve = operations.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (serve) return serve(req, res, parameter);
    allowAnyOrigin(res);
    return pipeline.identify(req, res).then(() => otherMethods(req, res, next));
  };
}

/** Handles the requests to a proxy. Those that are to no operation are forwarded as well. */
export function createForwardingRoutes(
  createHandler: (operationId: OperationId) => OperationHandler,
  forward: (req: Request, res: Response) => Promise<void>,
): (req: Request, res: Response) => Promise<void> {
  const find = createOperationTable(createHandler);
  return (req, res) => {
    const found = find(req);
    const serve = found?.value.operations.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (!found || !serve) return forward(req, res);
    req.route = found.value.route;
    return serve(req, res, found.parameter === undefined ? undefined : decodeSegment(found.parameter));
  };
}

/** A segment that cannot be decoded stays as it is. It is the id of no entity, because it contains a percent sign. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function toUseCase<Op extends OperationId>(operationId: Op): UseCase {
  const { status, run } = handlers[operationId];
  return {
    status,
    run(context, { caller, path, query, body }) {
      // The casts are safe, because path, query and body have been validated, and every response has a status and a body.
      const request = { actor: { kind: 'provider', caller: caller! }, path, query, body } as unknown as CheckedRequest<Op>;
      return run(context, request) as ReturnType<UseCase['run']>;
    },
  };
}
