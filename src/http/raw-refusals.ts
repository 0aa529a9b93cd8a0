import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createGateFailure } from '../contract/failure.ts';
import type { GateId } from '../contract/generated/gates.ts';
import type { RefusedRequest } from '../journal/recorder.ts';
import type { Connections } from './connections.ts';
import { formatProblemResponse, sendFailure, toProblem } from './problem.ts';
import { getTraceId, type TraceIdGenerator } from './trace.ts';

export interface RawRefusalOptions {
  readonly connections: Connections;
  readonly generateTraceId: TraceIdGenerator;
  /**
   * How long the server still reads after a refusal, in milliseconds. Closing earlier could cause a TCP reset, which destroys the response.
   */
  readonly lingerMs: number;
  readonly onRefused: (refused: RefusedRequest) => void;
}

/** Returns the problem to report for a parser error or timeout, or undefined for a socket error. */
function findGateOfClientError(errorCode: string | undefined): GateId | undefined {
  if (errorCode === 'ERR_HTTP_REQUEST_TIMEOUT') return 'http.request-timeout';
  if (errorCode === 'HPE_HEADER_OVERFLOW') return 'http.headers-too-large';
  if (errorCode === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'http.body-too-large';
  return errorCode?.startsWith('HPE_') === true ? 'http.malformed-request' : undefined;
}

/** Responds to unparsable bytes, slow requests and CONNECT: Node passes none of them to the request listener. */
export function refuseOnSockets(server: Server, { connections, generateTraceId, lingerMs, onRefused }: RawRefusalOptions): void {
  const refused = new WeakSet<Duplex>();

  const refuseSocket = (
    socket: Duplex,
    gate: GateId,
    headers?: Readonly<Record<string, string>>,
    method?: string,
    target?: string,
  ): void => {
    if (!socket.writable) return void socket.destroy();
    const traceId = generateTraceId();
    onRefused({ traceId, gate, method, target });
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
    socket.end(formatProblemResponse(toProblem(createGateFailure(gate)), traceId, headers));
  };

  const refuseDuringBody = (socket: Duplex, res: ServerResponse, gate: GateId): void => {
    if (res.headersSent)
      return void (res.writableEnded && !res.writableFinished ? res.once('close', () => socket.destroy()) : socket.destroy());
    res.setHeader('Connection', 'close');
    sendFailure(res, createGateFailure(gate));
    onRefused({ traceId: getTraceId(res.req), res, gate, method: res.req.method, target: res.req.url });
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Ignore repeated parser errors, because handling them would destroy the socket before the response is sent.
    if (refused.has(socket)) return;
    const gate = findGateOfClientError(error.code);
    if (gate === undefined || !socket.writable) return void socket.destroy();
    refused.add(socket);
    const res = connections.latestResponse(socket);
    if (res !== undefined && !res.req.complete) return refuseDuringBody(socket, res, gate);
    // Responses to earlier requests on the connection come first.
    if (res !== undefined && !res.writableFinished) return void res.once('close', () => refuseSocket(socket, gate));
    refuseSocket(socket, gate);
  });

  server.on('connect', (req, socket) => {
    socket.on('error', () => socket.destroy());
    // Discard received bytes, because closing a socket with unread bytes causes a TCP reset, which destroys the response.
    socket.resume();
    const earlier = connections.latestResponse(socket);
    // The response's empty Allow header means that no methods are allowed (RFC 9110, section 10.2.1).
    const respond = () => refuseSocket(socket, 'http.method-not-allowed', { Allow: '' }, req.method, req.url);
    if (earlier === undefined || earlier.writableFinished) respond();
    else earlier.once('close', respond);
  });
}
