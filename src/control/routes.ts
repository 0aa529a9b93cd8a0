import express, { type Request, type Response, Router } from 'express';
import { isFailure } from '../contract/failure.ts';
import { type ControlOperationId, controlOperations } from '../contract/generated/control-operations.ts';
import { sendChunks } from '../http/chunks.ts';
import { refuseOtherMethods, refuseUnknownRoute } from '../http/errors.ts';
import { sendEventStream } from '../http/event-stream.ts';
import { MAX_CONTROL_BODY_BYTES } from '../http/framing.ts';
import type { OriginGuard } from '../http/origin-guard.ts';
import { sendFailure } from '../http/problem.ts';
import { setAddress } from '../http/published-document.ts';
import { sendAnswer } from '../http/success-response.ts';
import { version } from '../version.ts';
import { about } from './about.ts';
import { changes } from './changes.ts';
import { clock } from './clock.ts';
import { contract } from './contract.ts';
import { deliveries } from './deliveries.ts';
import { deliveryMode } from './delivery-mode.ts';
import { events } from './events.ts';
import { explain } from './explain.ts';
import { faults } from './faults.ts';
import type { Chunked, ControlAnswer, ControlDeps, ControlHandlers, ControlRequest, Streamed } from './handler.ts';
import { metrics } from './metrics.ts';
import { rawEvent } from './raw-event.ts';
import { reports } from './reports.ts';
import { requests } from './requests.ts';
import { reset } from './reset.ts';
import { scenarios } from './scenarios.ts';
import { signatures } from './signatures.ts';
import { snapshots } from './snapshots.ts';
import { state } from './state.ts';
import { stream } from './stream.ts';
import { subscriptions } from './subscriptions.ts';
import { tokens } from './tokens.ts';
import { checkBody, checkQuery } from './validation.ts';
import { worldFile } from './world-file.ts';

const handlers: ControlHandlers = {
  ...about,
  ...metrics,
  ...contract,
  ...tokens,
  ...state,
  ...changes,
  ...worldFile,
  ...reset,
  ...scenarios,
  ...snapshots,
  ...clock,
  ...deliveries,
  ...deliveryMode,
  ...rawEvent,
  ...faults,
  ...requests,
  ...explain,
  ...stream,
  ...subscriptions,
  ...events,
  ...signatures,
  ...reports,
};

/** Operations that must work even if the database is unavailable, so they do not read the world. */
const WITHOUT_DATABASE: ReadonlySet<ControlOperationId> = new Set(['health', 'live', 'readMetrics']);

/** The routes of control.yaml. The guard refuses requests from foreign origins before any operation. */
export function controlRoutes(deps: ControlDeps, guard: OriginGuard): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, res, next) => {
    // Clients of the control API know by this header that the server is a kit.
    res.setHeader('Xpk-Version', version);
    const failure = guard(req);
    if (failure) sendFailure(res, failure);
    else next();
  });
  router.use(express.json({ limit: MAX_CONTROL_BODY_BYTES, strict: false }));
  // The document is large, so it is loaded on the first request.
  router.get('/openapi.json', async (req, res) => {
    res.json(setAddress((await import('../contract/generated/control.json', { with: { type: 'json' } })).default, req, deps.about));
  });
  const methods = new Map<string, string[]>([['/openapi.json', ['GET', 'HEAD']]]);
  for (const [operationId, { method, routes }] of Object.entries(controlOperations)) {
    const [path] = routes;
    const route = path.slice('/_control'.length);
    router[method](route, (req, res) => serve(operationId as ControlOperationId, req, res, deps));
    methods.set(route, [...(methods.get(route) ?? []), method.toUpperCase()]);
  }
  for (const [route, allowed] of methods) router.all(route, refuseOtherMethods(allowed));
  router.use(refuseUnknownRoute);
  return router;
}

async function serve(operationId: ControlOperationId, req: Request, res: Response, deps: ControlDeps): Promise<void> {
  if (!WITHOUT_DATABASE.has(operationId)) await deps.world.refresh();
  const answer = await answerTo(operationId, req, deps);
  if (isFailure(answer)) sendFailure(res, answer);
  else if ('stream' in answer) await sendEventStream(res, { closing: deps.closing() }, answer.stream);
  else if ('send' in answer) await answer.send((body) => sendChunks(res, body, answer.type));
  else sendAnswer(res, { status: answer.status, body: answer.body });
}

async function answerTo(operationId: ControlOperationId, req: Request, deps: ControlDeps): Promise<ControlAnswer | Streamed | Chunked> {
  const checked = checkQuery(operationId, req.url);
  if (isFailure(checked)) return checked;
  const invalid = checkBody(operationId, req.body);
  if (invalid) return invalid;
  const handler = handlers[operationId] as (request: ControlRequest, deps: ControlDeps) => Promise<ControlAnswer | Streamed | Chunked>;
  return handler({ params: req.params as never, query: checked.query, body: req.body, lastEventId: req.get('last-event-id') }, deps);
}
