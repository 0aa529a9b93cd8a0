import type { Request, RequestHandler, Response } from 'express';
import { createForwardingRoutes } from '../api/routes.ts';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import type { Relay } from '../events/relay.ts';
import { allowAnyOrigin } from '../http/any-origin.ts';
import { refuseOtherMethods } from '../http/errors.ts';
import type { createPipeline } from '../http/pipeline.ts';
import { sendFailure } from '../http/problem.ts';
import type { Recorder } from '../journal/recorder.ts';
import { createForwarder } from './forward.ts';
import { relayDelivery } from './relay-delivery.ts';
import { parseUpstream, type UpstreamSettings } from './upstream.ts';

/** What the proxy answers itself: the control API, the console, and the pages about its own problems. */
const OWN_PATH = /^\/(?:_control|_console)(?=[/?]|$)|^\/problems\/proxy\.|^\*$/;
const AUTH_PATH = /^\/auth(?=[/?]|$)/;
const HOOK_PATH = /^\/hooks(?:\/([^/?]*))?(?=[/?]|$)/;
const LOGIN_ROUTES = ['/auth/authorize', '/auth/oauth/token'];

/** Creates a proxy, which handles every request that is not to the control API or the console. */
export function createProxy(
  settings: UpstreamSettings,
  recorder: Pick<Recorder, 'conclude' | 'recordForwarded'>,
  pipeline: Pick<ReturnType<typeof createPipeline>, 'forwardOperation'>,
  relay: Relay,
): { readonly handle: RequestHandler; close(): Promise<void> } {
  const upstream = parseUpstream(settings);
  const { api, auth, events, faultWrites } = upstream;
  const { forward, close } = createForwarder(upstream, recorder);
  const forwardToApi = (req: Request, res: Response) => forward(req, res, api, req.url);
  const isFaultable = (operationId: OperationId) => faultWrites || operations[operationId].method === 'get';
  const handleApi = createForwardingRoutes(
    (operationId) => pipeline.forwardOperation(operationId, forwardToApi, isFaultable(operationId)),
    forwardToApi,
  );
  const refuseOthers = refuseOtherMethods(['POST']);

  const handle: RequestHandler = (req, res, next) => {
    const { url } = req;
    if (OWN_PATH.test(url)) return next();
    const [authPath] = AUTH_PATH.exec(url) ?? [];
    if (authPath !== undefined) {
      if (auth === undefined) return refuse(res, createGateFailure('proxy.no-login'));
      const path = LOGIN_ROUTES.find((route) => url === route || url.startsWith(`${route}?`));
      if (path !== undefined) req.route = { path };
      return forward(req, res, auth, url.slice(authPath.length).replace(/^(?!\/)/, '/'));
    }
    const [hookPath, name] = HOOK_PATH.exec(url) ?? [];
    if (hookPath === undefined) return handleApi(req, res);
    const endpoint = events.get(name ?? '');
    const isRelayed = relay.has(name ?? '');
    if (endpoint === undefined && !isRelayed) return refuse(res, createGateFailure('proxy.unknown-hook', describeHooks(events)));
    if (req.method !== 'POST') return refuseOthers(req, res, next);
    if (isRelayed || endpoint === undefined) return relayDelivery(req, res, name!, { relay, recorder, timeoutMs: upstream.timeoutMs });
    return forward(req, res, endpoint, url.slice(hookPath.length));
  };
  return { handle, close };
}

function refuse(res: Response, failure: GateFailure): void {
  allowAnyOrigin(res);
  sendFailure(res, failure);
}

const describeHooks = (events: ReadonlyMap<string, unknown>): string =>
  events.size === 0
    ? 'The proxy has no receiver. To pass deliveries on, start it with --events and the URL of the local endpoint, or connect an endpoint with xpk listen.'
    : `The proxy has these receivers: ${[...events.keys()].map((name) => `/hooks/${name}`).join(', ')}.`;
