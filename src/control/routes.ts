import express, { type Request, type Response, Router } from 'express';
import { type ControlOperationId, controlOperations } from '../contract/generated/control-operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { isNestedDeeper, MAX_DEPTH, validator } from '../contract/validators.ts';
import { problemOf } from '../http/answer.ts';
import { sendEventStream } from '../http/event-stream.ts';
import { methodNotAllowed, unknownRoute } from '../http/fallbacks.ts';
import { sendRefusal } from '../http/gate-problems.ts';
import { MAX_CONTROL_BODY_BYTES } from '../http/limits.ts';
import type { OriginGuard } from '../http/origin-guard.ts';
import { sendProblem } from '../http/problem-response.ts';
import { sendAnswer } from '../http/success-response.ts';
import { about } from './about.ts';
import { clock } from './clock.ts';
import { deliveries } from './deliveries.ts';
import { deliveryMode } from './delivery-mode.ts';
import { explain } from './explain.ts';
import { faults } from './faults.ts';
import { type ControlAnswer, type ControlDeps, type ControlHandlers, type ControlRequest, cannot } from './handler.ts';
import { inbox } from './inbox.ts';
import { queryOf } from './query.ts';
import { rawEvent } from './raw-event.ts';
import { requests as journal } from './requests.ts';
import { reset } from './reset.ts';
import { snapshots } from './snapshots.ts';
import { state } from './state.ts';
import { stream } from './stream.ts';
import { subscriptions } from './subscriptions.ts';
import { tokens } from './tokens.ts';

const handlers: ControlHandlers = {
  ...about,
  ...tokens,
  ...state,
  ...reset,
  ...snapshots,
  ...clock,
  ...deliveries,
  ...deliveryMode,
  ...inbox,
  ...rawEvent,
  ...faults,
  ...journal,
  ...explain,
  ...stream,
  ...subscriptions,
};
const requests: Readonly<Record<string, string>> = schemaReferences.requests;

/** The operator's door, behind its own guard: everything of control.yaml, typed and validated like the service. */
export function controlRoutes(deps: ControlDeps, guard: OriginGuard): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, res, next) => {
    const refusal = guard(req);
    if (refusal) sendRefusal(res, refusal);
    else next();
  });
  router.use(express.json({ limit: MAX_CONTROL_BODY_BYTES, strict: false }));
  const methods = new Map<string, string[]>();
  for (const [operationId, { method, routes }] of Object.entries(controlOperations)) {
    const [path] = routes;
    const route = path.slice('/_control'.length);
    router[method](route, (req, res) => serve(operationId as ControlOperationId, req, res, deps));
    methods.set(route, [...(methods.get(route) ?? []), method.toUpperCase()]);
  }
  for (const [route, allowed] of methods) router.all(route, methodNotAllowed(allowed));
  router.use(unknownRoute);
  return router;
}

async function serve(operationId: ControlOperationId, req: Request, res: Response, deps: ControlDeps): Promise<void> {
  // Health is also reported while the database is unavailable.
  if (operationId !== 'health') await deps.world.refresh();
  const asked = queryOf(operationId, req.url);
  const answer =
    'gate' in asked ? asked : (bodyProblem(operationId, req.body) ?? (await handlers[operationId](requestOf(req, asked.query), deps)));
  if ('gate' in answer) sendProblem(res, problemOf(answer, deps.decisions), answer.headers);
  else if ('stream' in answer) await sendEventStream(res, { closing: deps.closing() }, answer.stream);
  else sendAnswer(res, { status: answer.status, body: answer.body });
}

function bodyProblem(operationId: ControlOperationId, body: unknown): ControlAnswer | undefined {
  if (isNestedDeeper(body)) return cannot('invalid', `The body has more than ${MAX_DEPTH} levels of lists and objects.`);
  const reference = requests[operationId];
  // A world is judged by its handler, which knows what was meant.
  if (reference === undefined || operationId === 'loadState') return undefined;
  const errors = validator(reference)(body).map(({ pointer, message }) => ({ pointer, message }));
  if (errors.length === 0) return undefined;
  const [{ pointer, message }] = errors as [(typeof errors)[number]];
  return { ...cannot('invalid', `${pointer === '' ? 'The body' : pointer.slice(1)} ${message}.`), errors };
}

function requestOf(req: Request, query: ControlRequest['query']): ControlRequest {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(req.params)) params[name] = String(value);
  return { params, query, body: req.body as unknown, lastEventId: req.get('last-event-id') };
}
