import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';
import type { RefusedRequest } from '../journal/recorder.ts';
import { closeGracefully, trackConnections } from './connections.ts';
import { checkFraming, checkProtocol, MAX_BODY_BYTES } from './framing.ts';
import type { HostGuard } from './host-guard.ts';
import { createMessageClasses } from './messages.ts';
import { sendFailure } from './problem.ts';
import { refuseOnSockets } from './raw-refusals.ts';
import { assignTraceId, getTraceId, type TraceIdGenerator } from './trace.ts';

/** All times are in milliseconds of wall time. */
export interface HttpServerOptions {
  /** Receives only requests with a target in origin form (or `*`) and a trace id. */
  readonly listener: Express;
  /** Returns another listener for a request, such as another world's. It may change the request's URL. */
  readonly select?: ((req: IncomingMessage, res: ServerResponse) => RequestListener | undefined) | undefined;
  readonly generateTraceId: TraceIdGenerator;
  readonly hostGuard?: HostGuard;
  readonly onRefused?: (refused: RefusedRequest) => void;
  /** The largest accepted Content-Length, in bytes. Default 1 MiB. Must equal the body parser's limit. */
  readonly maxBodyBytes?: number;
  /** The maximum time for all headers. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** The maximum time for the whole request. Default 30 s, never less than `headersTimeoutMs`. */
  readonly requestTimeoutMs?: number;
  /** How often the timeouts are checked. Default 1 s. */
  readonly checkIntervalMs?: number;
  /** Whether a client may close its sending side before the response. Default true. Otherwise, this means that the client has gone away. */
  readonly allowsHalfOpen?: boolean;
  /** How long the server reads after a refusal, to prevent a TCP reset. Default 500 ms. */
  readonly lingerMs?: number;
  /** After its abort, the server closes each connection after its next response. */
  readonly draining?: AbortController;
  /** `close` aborts it and `draining`. */
  readonly closing?: AbortController;
}

export type HttpServer = ReturnType<typeof createHttpServer>;

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

export function createHttpServer(options: HttpServerOptions) {
  const { listener, generateTraceId, hostGuard, onRefused = () => {}, maxBodyBytes = MAX_BODY_BYTES, headersTimeoutMs = 10_000 } = options;
  const { draining = new AbortController(), closing = new AbortController() } = options;
  const node = createServer({
    ...createMessageClasses(listener),
    requireHostHeader: false, // `checkFraming` refuses requests that lack a Host header.
    maxHeaderSize: 16_384,
    insecureHTTPParser: false, // Overrides --insecure-http-parser in NODE_OPTIONS.
    headersTimeout: headersTimeoutMs,
    requestTimeout: Math.max(options.requestTimeoutMs ?? 30_000, headersTimeoutMs),
    connectionsCheckingInterval: options.checkIntervalMs ?? 1_000,
    keepAliveTimeout: 30_000,
  });
  // Lets a client close its sending side before the response. Set by `assign`, because Node's types lack this option.
  Object.assign(node, { httpAllowHalfOpen: options.allowsHalfOpen ?? true });

  const connections = trackConnections(node);
  refuseOnSockets(node, { connections, generateTraceId, lingerMs: options.lingerMs ?? 500, onRefused });
  let refusesRequests = false;
  let closed: Promise<void> | undefined;

  const refuse = (res: ServerResponse, failure: GateFailure, closes: boolean): void => {
    if (closes) res.setHeader('Connection', 'close');
    const { req } = res;
    sendFailure(res, failure);
    onRefused({ traceId: getTraceId(req), gate: failure.reason, method: req.method, target: req.url });
  };

  const accept = (awaitsContinue: boolean): RequestListener => {
    return (req, res) => {
      assignTraceId(req, generateTraceId);
      connections.add(req, res);
      // The client's next connection can go to another replica.
      if (draining.signal.aborted) res.setHeader('Connection', 'close');
      const framing = checkFraming(req);
      if (framing !== undefined) return refuse(res, framing, true);
      // After an ignored Upgrade, Node reports parser errors on this connection only after a timeout.
      if (req.headers.upgrade !== undefined) res.setHeader('Connection', 'close');
      if (refusesRequests) return refuse(res, createGateFailure('http.shutting-down'), true);
      const target = req.url ?? '/';
      const failure = hostGuard?.(req.headers.host, target) ?? checkProtocol(req, maxBodyBytes);
      // The connection stays open for further requests, unless the client waits for 100 Continue.
      if (failure !== undefined) return refuse(res, failure, false);
      const authority = ABSOLUTE_FORM.exec(target);
      if (authority !== null) {
        // The request target's authority replaces the Host header (RFC 9112, section 3.2.2).
        req.headers.host = authority[1]!;
        req.url = target.slice(authority[0].length).replace(/^(?!\/)/, '/');
      }
      if (awaitsContinue) res.writeContinue();
      (options.select?.(req, res) ?? listener)(req, res);
    };
  };
  node.on('request', accept(false));
  node.on('checkExpectation', accept(false));
  node.on('checkContinue', accept(true));

  return {
    node,
    /** Port 0 selects a free port. @throws Error from the operating system, such as EADDRINUSE */
    listen: (port: number, host = '127.0.0.1') =>
      new Promise<AddressInfo>((resolve, reject) => {
        node.once('error', reject);
        node.listen(port, host, () => {
          node.removeListener('error', reject);
          resolve(node.address() as AddressInfo);
        });
      }),
    close(graceMs = 5_000): Promise<void> {
      draining.abort();
      closing.abort();
      closed ??= closeGracefully(node, connections, graceMs, () => {
        refusesRequests = true;
      });
      return closed;
    },
  };
}
