import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, type Dispatcher, errors, request } from 'undici';
import { type AllowedAddress, checkDestination, type DestinationMode, hostOf, isLoopbackHost, type Resolve } from './destination.ts';

export interface SenderOptions {
  readonly mode: DestinationMode;
  /** Milliseconds of wall time from the call of `send` to the last byte of the response. */
  readonly timeoutMs: number;
  readonly resolve?: Resolve;
  /**
   * Which part of the response has to arrive within `timeoutMs` (decision `events.delivery.acknowledged-by`). The default is headers and
   * body.
   */
  readonly acknowledgedBy?: 'headers-and-body' | 'headers';
  /** Whether results contain the text of the response body. */
  readonly keepBody?: boolean;
}

/**
 * The result of one attempt. `error` is a phrase for the operator. `retryAfter` is the unparsed Retry-After header. `body` is the beginning
 * of the response body, with the option `keepBody`.
 */
export type SendResult =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

export interface Sender {
  /** Checks the destination and sends one POST request. Never rejects, never follows a redirect, never retries. */
  send(destination: string, headers: Record<string, string>, body: string): Promise<SendResult>;
  /** Aborts requests in flight. To let the requests finish, await the promises of `send` before this call. */
  close(): Promise<void>;
}

type Unmeasured<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
type Outcome = Unmeasured<SendResult>;

/** The maximum number of bytes that are read from a response body. Only the status of a response is used, so the rest is not needed. */
const MAX_BODY_BYTES = 16_384;

export function createSender({ mode, timeoutMs, resolve, acknowledgedBy = 'headers-and-body', keepBody }: SenderOptions): Sender {
  /** The allowed addresses of each host, from the latest check of the host. Connections are made only to these addresses. */
  const allowed = new Map<string, readonly AllowedAddress[]>();
  const lookup: LookupFunction = (host, _, callback) => callback(null, [...allowed.get(host)!]); // `autoSelectFamily` asks for all.
  const createPool = (rejectUnauthorized: boolean) =>
    new Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { timeout: timeoutMs, lookup, autoSelectFamily: true, rejectUnauthorized },
      allowH2: false, // With HTTP/2, cutting a response off would leave its socket open.
    });
  const pool = createPool(true);
  // In local mode, certificates of loopback addresses are not verified. No certificate authority signs them, and local mode allows even
  // plain http.
  const loopbackPool = mode === 'local' ? createPool(false) : pool;

  const attempt = async (
    destination: string,
    init: Pick<Dispatcher.RequestOptions, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    try {
      const checked = await checkDestination(destination, mode, resolve);
      if ('refused' in checked) return { error: `refused destination: ${checked.refused}` };
      // If the name lookup exceeded the timeout, `send` has already returned a timeout, so nothing may be sent now.
      signal.throwIfAborted();
      const { url, addresses } = checked;
      allowed.set(url.hostname, addresses);
      const dispatcher = isLoopbackHost(hostOf(url)) ? loopbackPool : pool;
      const response = await request(url, { ...init, method: 'POST', dispatcher, signal });
      const retryAfter = [response.headers['retry-after']].flat()[0];
      // If the headers alone acknowledge a delivery, the body is not read, because the body may never end.
      let body = '';
      if (acknowledgedBy === 'headers') response.body.on('error', () => {}).destroy();
      else body = await readToEnd(response.body);
      // undici can reuse a socket one event loop turn after the response has ended. Without this pause, an immediate second send would open
      // another socket.
      await nextTurn();
      return { status: response.statusCode, ...(retryAfter !== undefined && { retryAfter }), ...(keepBody && { body }) };
    } catch (error) {
      return { error: describe(error, timeoutMs) };
    }
  };

  return {
    async send(destination, headers, body) {
      const startedAt = performance.now();
      const deadline = new AbortController();
      const timeout = Promise.withResolvers<Outcome>();
      // An abort does not end a name lookup or a TLS handshake, so the timeout also resolves a promise.
      const timer = setTimeout(() => {
        timeout.resolve({ error: timedOut(timeoutMs) });
        deadline.abort();
      }, timeoutMs);
      const outcome = await Promise.race([attempt(destination, { headers, body }, deadline.signal), timeout.promise]);
      clearTimeout(timer);
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    },
    close: async () => void (await Promise.all([pool.destroy(), loopbackPool.destroy()])),
  };
}

/** Reads a response body to its end. Closes the socket if the body is longer than MAX_BODY_BYTES. */
async function readToEnd(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

const timedOut = (timeoutMs: number) => `timeout after ${timeoutMs} ms`;
const TLS = /^(ERR_(TLS|SSL)_|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

const PHRASES: readonly (readonly [code: RegExp, phrase: string])[] = [
  [/^ECONNREFUSED$/, 'connection refused; is the receiver running, and on this port?'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection reset by the receiver'],
  [/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/, 'no route to the receiver'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'the response headers are too large'],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, 'the sender is closed'],
];

function describe(error: unknown, timeoutMs: number): string {
  const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return timedOut(timeoutMs);
  if (TLS.test(code)) return `TLS failed: ${message.trim()}; NODE_EXTRA_CA_CERTS=<file> adds your own certificate authority`;
  if (error instanceof errors.HTTPParserError) return `the response is not HTTP: ${message}`;
  // Either the receiver closed the connection during the response, or undici cannot parse the response.
  if (code === 'UND_ERR_SOCKET')
    return message === 'other side closed' ? 'connection reset by the receiver' : `the response is not HTTP: ${message}`;
  return PHRASES.find(([pattern]) => pattern.test(code))?.[1] ?? (message || code);
}
