import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GateFailure, gateFailure } from '../contract/failure.ts';
import type { RefusedRequest } from '../journal/record.ts';
import { trackConnections } from './connections.ts';
import { framingFailure, protocolFailure } from './framing.ts';
import type { HostGuard } from './host-guard.ts';
import { sendFailure } from './problem.ts';
import { refuseOnSockets } from './raw-refusals.ts';
import { closeGracefully } from './shutdown.ts';
import { assignTrace, type TraceSource, traceIdOf } from './trace.ts';

/** Times are milliseconds of wall time. */
export interface HttpServerOptions {
  /** The Express app. It sees origin-form targets only (and `*` with OPTIONS), and every request has its trace id. */
  readonly listener: RequestListener;
  readonly traceSource: TraceSource;
  readonly hostGuard?: HostGuard;
  /** Told of every request refused here, which the listener never sees. */
  readonly onRefused?: (refused: RefusedRequest) => void;
  /** Largest body announced by Content-Length that is let through. Default 1 MiB; keep it at the body parser's limit. */
  readonly maxBodyBytes?: number;
  /** Until the headers are complete. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** Until the body is complete. Default 30 s, never less than `headersTimeoutMs`. */
  readonly requestTimeoutMs?: number;
  /** How often the two are looked at. Default 1 s. */
  readonly checkIntervalMs?: number;
  /** How long an idle connection stays open. Default 30 s. */
  readonly keepAliveTimeoutMs?: number;
  /** How long a refused socket is still read. Default 500 ms. */
  readonly lingerMs?: number;
}

export interface HttpServer {
  readonly node: Server;
  /** Aborted when `close` is called: answers without end (streams, long polls) should then end themselves. */
  readonly closing: AbortSignal;
  /** Port 0 picks a free one. Rejects with the system's error, such as EADDRINUSE. */
  listen(port: number, host?: string): Promise<AddressInfo>;
  /** Lets answers under way finish, for `graceMs` (default 5 s) at most. */
  close(graceMs?: number): Promise<void>;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/** The service's HTTP/1.1 server: every refusal is a problem with a trace id, whatever the socket sends. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { listener, traceSource, hostGuard, onRefused = () => {}, maxBodyBytes = 1_048_576, headersTimeoutMs = 10_000 } = options;
  const node = createServer({
    requireHostHeader: false, // Node's own refusal is no problem document
    insecureHTTPParser: false, // whatever NODE_OPTIONS says
    maxHeaderSize: 16_384,
    headersTimeout: headersTimeoutMs,
    requestTimeout: Math.max(options.requestTimeoutMs ?? 30_000, headersTimeoutMs),
    connectionsCheckingInterval: options.checkIntervalMs ?? 1_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 30_000,
  });
  // A client may end its side and still wait for the answer. Node has the switch, its types do not.
  Object.assign(node, { httpAllowHalfOpen: true });

  const connections = trackConnections(node);
  refuseOnSockets(node, { connections, traceSource, lingerMs: options.lingerMs ?? 500, onRefused });
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  const refuse = (res: ServerResponse, failure: GateFailure, closes: boolean): void => {
    if (closes) res.setHeader('Connection', 'close');
    const { req } = res;
    sendFailure(res, failure);
    onRefused({ traceId: traceIdOf(req), gate: failure.reason, method: req.method, target: req.url });
  };

  const accept = (awaitsContinue: boolean): RequestListener => {
    return (req, res) => {
      assignTrace(req, traceSource);
      connections.note(req, res);
      const misframed = framingFailure(req);
      if (misframed !== undefined) return refuse(res, misframed, true);
      // After an Upgrade that is not followed, Node tells of no parser error on the connection until the timeouts: it is not used again.
      if (req.headers.upgrade !== undefined) res.setHeader('Connection', 'close');
      if (closing.signal.aborted) return refuse(res, gateFailure('http.shutting-down'), true);
      const target = req.url ?? '/';
      const failure = hostGuard?.(req.headers.host, target) ?? protocolFailure(req, maxBodyBytes);
      // Node closes the connection of one who waits for 100 Continue and does not get it; others may go on after their body.
      if (failure !== undefined) return refuse(res, failure, false);
      const authority = ABSOLUTE_FORM.exec(target);
      if (authority !== null) {
        // RFC 9112 3.2.2: the target's authority replaces the Host.
        req.headers.host = authority[1]!;
        req.url = target.slice(authority[0].length).replace(/^(?!\/)/, '/');
      }
      if (awaitsContinue) res.writeContinue();
      listener(req, res);
    };
  };
  node.on('request', accept(false));
  node.on('checkExpectation', accept(false));
  node.on('checkContinue', accept(true));

  return {
    node,
    closing: closing.signal,
    listen: (port, host = '127.0.0.1') =>
      new Promise((resolve, reject) => {
        node.once('error', reject);
        node.listen(port, host, () => {
          node.removeListener('error', reject);
          resolve(node.address() as AddressInfo);
        });
      }),
    close: (graceMs = 5_000) => {
      closing.abort();
      closed ??= closeGracefully(node, connections, graceMs);
      return closed;
    },
  };
}
