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
  /** What has to arrive within `timeoutMs` (decision `events.delivery.acknowledged-by`). Default: the whole response. */
  readonly acknowledgedBy?: 'headers-and-body' | 'headers';
}

/** The result of one attempt. `error` is a phrase for the operator, `retryAfter` the unparsed header. */
export type SendResult =
  | { readonly status: number; readonly retryAfter?: string; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

export interface Sender {
  /** Sends one POST. Checks the destination first. Never rejects, never follows a redirect, never retries. */
  send(destination: string, headers: Record<string, string>, body: string): Promise<SendResult>;
  /** Aborts requests in flight. Await them first if they should finish. */
  close(): Promise<void>;
}

type Unmeasured<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
type Outcome = Unmeasured<SendResult>;

/** Longer responses are cut off: only their status counts. */
const MAX_BODY_BYTES = 16_384;

export function createSender({ mode, timeoutMs, resolve, acknowledgedBy = 'headers-and-body' }: SenderOptions): Sender {
  /** What each host resolved to when it was checked last. Connections are made to no other address. */
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
  // No authority signs certificates for loopback addresses, and local mode allows plain http there anyway.
  const loopbackPool = mode === 'local' ? createPool(false) : pool;

  const attempt = async (
    destination: string,
    init: Pick<Dispatcher.RequestOptions, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    try {
      const checked = await checkDestination(destination, mode, resolve);
      if ('refused' in checked) return { error: `refused destination: ${checked.refused}` };
      signal.throwIfAborted(); // Resolving the name took too long: the timeout was reported already, so nothing may be sent.
      const { url, addresses } = checked;
      allowed.set(url.hostname, addresses);
      const dispatcher = isLoopbackHost(hostOf(url)) ? loopbackPool : pool;
      const response = await request(url, { ...init, method: 'POST', dispatcher, signal });
      const retryAfter = [response.headers['retry-after']].flat()[0];
      // If the headers are enough, nothing waits for a body that may never end.
      if (acknowledgedBy === 'headers') response.body.on('error', () => {}).destroy();
      else await readToEnd(response.body);
      await nextTurn(); // undici reuses a socket one turn after the end; an immediate next send would open another one.
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
      // Aborting alone would not end a name lookup or a TLS handshake.
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
