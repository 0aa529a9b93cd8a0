import express, { type Request, type Response, Router } from 'express';
import { isFailure } from '../contract/failure.ts';
import { type ControlOperationId, controlOperations } from '../contract/generated/control-operations.ts';
import { sendChunks } from '../http/chunks.ts';
import { refuseOtherMethods, refuseUnknownRoute } from '../http/errors.ts';
import { sendEventStream } from '../http/event-stream.ts';
import { MAX_CONTROL_BODY_BYTES } from '../http/framing.ts';
import type { OriginGuard } from '../http/origin-guard.ts';
import { sendFailure } from '../http/problem.ts';
import { sendDocument } from '../http/published-document.ts';
import { sendSuccess } from '../http/success-response.ts';
import { version } from '../version.ts';
import { aboutHandlers } from './about.ts';
import { changeHandlers } from './changes.ts';
import { checkHandlers } from './checks.ts';
import { clockHandlers } from './clock.ts';
import { contractHandlers } from './contract.ts';
import { deliveryHandlers } from './deliveries.ts';
import { deliveryModeHandlers } from './delivery-mode.ts';
import { eventHandlers } from './events.ts';
import { explainHandlers } from './explain.ts';
import { faultHandlers } from './faults.ts';
import {
  type ChunkedResponse,
  type ControlDeps,
  type ControlHandlers,
  type ControlRequest,
  type ControlResponse,
  refuseAtProxy,
  type StreamResponse,
} from './handler.ts';
import { listenHandlers } from './listen.ts';
import { metricsHandlers } from './metrics.ts';
import { nameHandlers } from './names.ts';
import { rawEventHandlers } from './raw-event.ts';
import { reportHandlers } from './reports.ts';
import { requestHandlers } from './requests.ts';
import { resetHandlers } from './reset.ts';
import { scenarioHandlers } from './scenarios.ts';
import { signatureHandlers } from './signatures.ts';
import { snapshotHandlers } from './snapshots.ts';
import { stateHandlers } from './state.ts';
import { streamHandlers } from './stream.ts';
import { subscriptionHandlers } from './subscriptions.ts';
import { tokenHandlers } from './tokens.ts';
import { triggerHandlers } from './trigger.ts';
import { CHANGE_HEADER, prepareUndoOf, UNDOABLE_HEADER, undoHandlers } from './undo.ts';
import { checkBody, checkQuery } from './validation.ts';
import { worldFileHandlers } from './world-file.ts';
import { worldsHandlers } from './worlds.ts';

/** What also a proxy has: its journal, and what uses the journal. */
const proxyHandlers = {
  ...aboutHandlers,
  ...metricsHandlers,
  ...contractHandlers,
  ...nameHandlers,
  ...faultHandlers,
  ...requestHandlers,
  ...explainHandlers,
  ...streamHandlers,
  ...listenHandlers,
  ...signatureHandlers,
  ...reportHandlers,
  ...checkHandlers,
};

const handlers: ControlHandlers = {
  ...proxyHandlers,
  ...tokenHandlers,
  ...stateHandlers,
  ...changeHandlers,
  ...worldFileHandlers,
  ...resetHandlers,
  ...scenarioHandlers,
  ...snapshotHandlers,
  ...undoHandlers,
  ...clockHandlers,
  ...deliveryHandlers,
  ...deliveryModeHandlers,
  ...rawEventHandlers,
  ...triggerHandlers,
  ...subscriptionHandlers,
  ...eventHandlers,
  ...worldsHandlers,
};

/** The header of a response that, at a proxy, shows nothing of the service. Its value is the service's base URL. */
const PROXY_HEADER = 'Xpk-Proxy-Of';

/** Operations that must work even if the database is unavailable. */
const OPERATIONS_WITHOUT_DATABASE: ReadonlySet<ControlOperationId> = new Set(['health', 'live', 'readMetrics']);

export function createControlRoutes(deps: ControlDeps, guard: OriginGuard): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, res, next) => {
    // Control API clients recognize a kit by this header.
    res.setHeader('Xpk-Version', version);
    const failure = guard(req);
    if (failure) sendFailure(res, failure);
    else next();
  });
  router.use(express.json({ limit: MAX_CONTROL_BODY_BYTES, strict: false }));
  // The document is large, so it is loaded on the first request.
  const documents = ['/openapi.json', '/openapi.yaml'];
  router.get(documents, async (req, res) => {
    await sendDocument(req, res, (await import('../contract/generated/control.json', { with: { type: 'json' } })).default, deps.about);
  });
  const methods = new Map<string, string[]>(documents.map((path) => [path, ['GET', 'HEAD']]));
  for (const [operationId, { method, routes }] of Object.entries(controlOperations)) {
    const [path] = routes;
    const route = path.slice('/_control'.length);
    router[method](route, (req, res) => handleRequest(operationId as ControlOperationId, req, res, deps));
    methods.set(route, [...(methods.get(route) ?? []), method.toUpperCase()]);
  }
  for (const [route, allowed] of methods) router.all(route, refuseOtherMethods(allowed));
  router.use(refuseUnknownRoute);
  return router;
}

async function handleRequest(operationId: ControlOperationId, req: Request, res: Response, deps: ControlDeps): Promise<void> {
  if (!OPERATIONS_WITHOUT_DATABASE.has(operationId)) await deps.world.refresh();
  const response = await runHandler(operationId, req, res, deps);
  if (isFailure(response)) sendFailure(res, response);
  else if ('stream' in response) await sendEventStream(res, { closing: deps.getDrainingSignal(), ...response }, response.stream);
  else if ('send' in response) await response.send((body) => sendChunks(res, body, response.type));
  else sendSuccess(res, { status: response.status, body: response.body });
}

async function runHandler(
  operationId: ControlOperationId,
  req: Request,
  res: Response,
  deps: ControlDeps,
): Promise<ControlResponse | StreamResponse | ChunkedResponse> {
  const { upstream } = deps.about;
  if (upstream && !Object.hasOwn(proxyHandlers, operationId)) {
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseAtProxy(upstream);
    // The console also reads the world of a proxy, which is empty.
    res.set(PROXY_HEADER, upstream.api);
  }
  const checked = checkQuery(operationId, req.url);
  if (isFailure(checked)) return checked;
  const invalid = checkBody(operationId, req.body);
  if (invalid) return invalid;
  const handler = handlers[operationId] as (
    request: ControlRequest,
    deps: ControlDeps,
  ) => Promise<ControlResponse | StreamResponse | ChunkedResponse>;
  const keepUndo = req.get(UNDOABLE_HEADER) === undefined ? undefined : await prepareUndoOf(operationId, req, deps);
  const response = await handler(
    { params: req.params as never, query: checked.query, body: req.body, lastEventId: req.get('last-event-id') },
    deps,
  );
  const change = keepUndo && !isFailure(response) ? await keepUndo() : undefined;
  if (change !== undefined) res.set(CHANGE_HEADER, change);
  return response;
}
