import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, type Dispatcher, errors, request } from 'undici';
import { type AllowedAddress, checkDestination, type DestinationMode, hostOf, isLoopbackHost, type Resolve } from './destination.ts';

export interface SenderOptions {
  readonly mode: DestinationMode;
  /** Wall milliseconds from the start of `send` to the last byte of the response. */
  readonly timeoutMs: number;
  readonly resolve?: Resolve;
  /** The part of the response that has to arrive within `timeoutMs` (decision `events.delivery.acknowledged-by`). Default: all of it. */
  readonly acknowledgedBy?: 'headers-and-body' | 'headers';
}

/** The result of one attempt. `error` is a phrase for the operator, `retryAfter` the unparsed header. */
export type SendResult =
  | { readonly status: number; readonly retryAfter?: string; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

export interface Sender {
  /** Sends one POST. Checks the destination first. Never rejects, never follows a redirect, never retries. */
  send(destination: string, headers: Record<string, string>, body: string): Promise<SendResult>;
  /** Aborts requests in flight. To let them finish, await the promises of `send` first. */
  close(): Promise<void>;
}

type Unmeasured<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
type Outcome = Unmeasured<SendResult>;

/** A response body that is longer is cut off, because only the status of a response is used. */
const MAX_BODY_BYTES = 16_384;

export function createSender({ mode, timeoutMs, resolve, acknowledgedBy = 'headers-and-body' }: SenderOptions): Sender {
  /** The addresses of each host at its latest check. Connections are only made to these addresses. */
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
  // Certificates of loopback addresses are not verified in local mode, because no authority signs them and local mode allows plain http.
  const loopbackPool = mode === 'local' ? createPool(false) : pool;

  const attempt = async (
    destination: string,
    init: Pick<Dispatcher.RequestOptions, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    try {
      const checked = await checkDestination(destination, mode, resolve);
      if ('refused' in checked) return { error: `refused destination: ${checked.refused}` };
      // If resolving the host name took too long, `send` has already returned a timeout, so nothing may be sent.
      signal.throwIfAborted();
      const { url, addresses } = checked;
      allowed.set(url.hostname, addresses);
      const dispatcher = isLoopbackHost(hostOf(url)) ? loopbackPool : pool;
      const response = await request(url, { ...init, method: 'POST', dispatcher, signal });
      const retryAfter = [response.headers['retry-after']].flat()[0];
      // If only the headers are required, the body is not read, because it may never end.
      if (acknowledgedBy === 'headers') response.body.on('error', () => {}).destroy();
      else await readToEnd(response.body);
      // undici can reuse a socket one event loop turn after the response has ended. Without this pause, a send right after this one would
      // open another socket.
      await nextTurn();
      return { status: response.statusCode, ...(retryAfter !== undefined && { retryAfter }) };
    } catch (error) {
      return { error: describe(error, timeoutMs) };
    }
  };

  return {
    async send(destination, headers, body) {
      const startedAt = performance.now();
      const deadline = new AbortController();
      const timeout = Promise.withResolvers<Outcome>();
      // Aborting alone would not end a name lookup or a TLS handshake, so the timeout also resolves a promise.
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

/** Reads the response to its end. If it is longer than MAX_BODY_BYTES, closes its socket. */
async function readToEnd(body: Dispatcher.ResponseData['body']): Promise<void> {
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return;
  }
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
  // The receiver closed the connection in the middle of a response, or undici cannot parse the response.
  if (code === 'UND_ERR_SOCKET')
    return message === 'other side closed' ? 'connection reset by the receiver' : `the response is not HTTP: ${message}`;
  return PHRASES.find(([pattern]) => pattern.test(code))?.[1] ?? (message || code);
}
