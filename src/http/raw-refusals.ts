import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { gateFailure } from '../contract/failure.ts';
import type { GateId } from '../contract/generated/gates.ts';
import type { RefusedRequest } from '../journal/record.ts';
import type { Connections } from './connections.ts';
import { problemOf, problemText, sendFailure } from './problem.ts';
import { type TraceSource, traceIdOf } from './trace.ts';

export interface RawRefusalOptions {
  readonly connections: Connections;
  readonly traceSource: TraceSource;
  /** Milliseconds a refused socket is still read, so that the answer is not lost to a reset. */
  readonly lingerMs: number;
  readonly onRefused: (refused: RefusedRequest) => void;
}

/** The gate for an error of Node's parser or its timeouts; undefined for an error of the socket, to which no response is possible. */
export function gateOfClientError(code: string | undefined): GateId | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'http.request-timeout';
  if (code === 'HPE_HEADER_OVERFLOW') return 'http.headers-too-large';
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'http.body-too-large';
  return code?.startsWith('HPE_') === true ? 'http.malformed-request' : undefined;
}

/** Answers what never becomes a request: bytes the parser refuses, requests that take too long, and CONNECT. */
export function refuseOnSockets(server: Server, { connections, traceSource, lingerMs, onRefused }: RawRefusalOptions): void {
  const refused = new WeakSet<Duplex>();

  const refuse = (socket: Duplex, gate: GateId, headers?: Readonly<Record<string, string>>, method?: string, target?: string): void => {
    if (!socket.writable) return void socket.destroy();
    const traceId = traceSource();
    onRefused({ traceId, gate, method, target });
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
    socket.end(problemText(problemOf(gateFailure(gate)), traceId, headers));
  };

  // The error is in the body of a request that the listener already has: its own answer carries the problem, unless that has begun.
  const cutShort = (socket: Duplex, res: ServerResponse, gate: GateId): void => {
    if (res.headersSent)
      return void (res.writableEnded && !res.writableFinished ? res.once('close', () => socket.destroy()) : socket.destroy());
    res.setHeader('Connection', 'close');
    sendFailure(res, gateFailure(gate));
    onRefused({ traceId: traceIdOf(res.req), res, gate, method: res.req.method, target: res.req.url });
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser repeats its error for every chunk that follows; a destroyed socket would lose the answer on its way.
    if (refused.has(socket)) return;
    const gate = gateOfClientError(error.code);
    if (gate === undefined || !socket.writable) return void socket.destroy();
    refused.add(socket);
    const res = connections.newest(socket);
    if (res !== undefined && !res.req.complete) return cutShort(socket, res, gate);
    // Answers to earlier, good requests on the same connection go first.
    if (res !== undefined && !res.writableFinished) return void res.once('close', () => refuse(socket, gate));
    refuse(socket, gate);
  });

  server.on('connect', (req, socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume(); // the parser has let go of it
    // An empty Allow: a tunnel's target is a resource without methods here (RFC 9110 10.2.1).
    const answer = () => refuse(socket, 'http.method-not-allowed', { Allow: '' }, req.method, req.url);
    const earlier = connections.newest(socket);
    if (earlier === undefined || earlier.writableFinished) answer();
    else earlier.once('close', answer);
  });
}
