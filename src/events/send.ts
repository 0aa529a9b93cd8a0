import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { Agent, type Dispatcher, errors, request } from 'undici';
import { checkDestination, hostOf, type JudgedAddress, type Resolve } from './destination.ts';
import type { DestinationMode } from './destination-mode.ts';
import { isThisMachine } from './this-machine.ts';

export interface SenderOptions {
  readonly mode: DestinationMode;
  /** Milliseconds of wall time from the start of `send` to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Answers longer than this are cut off; what counts is their status. */
  readonly maxBodyBytes?: number;
  readonly resolve?: Resolve;
  /** What has to arrive within `timeoutMs` (decision `events.delivery.acknowledged-by`). Default: all of the answer. */
  readonly acknowledgedBy?: 'headers-and-body' | 'headers';
}

/** What came of one attempt. `error` is a phrase for the operator. `retryAfter` is the header as it came. */
export type SendResult =
  | { readonly status: number; readonly retryAfter?: string; readonly bodyTruncated: boolean; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

export interface Sender {
  /** One POST, to addresses judged for this very attempt. Never rejects, never follows a redirect, never repeats. */
  send(destination: string, headers: Record<string, string>, body: string): Promise<SendResult>;
  /** Cuts off what is under way; await your sends first if they should finish. */
  close(): Promise<void>;
}

type Unmeasured<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
type Outcome = Unmeasured<SendResult>;

export function createSender({
  mode,
  timeoutMs,
  maxBodyBytes = 16_384,
  resolve,
  acknowledgedBy = 'headers-and-body',
}: SenderOptions): Sender {
  const pins = createPins();
  const poolThat = (trust: { readonly rejectUnauthorized: boolean }) =>
    new Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { timeout: timeoutMs, lookup: pins.lookup, ...trust },
      allowH2: false, // there, cutting an answer off would leave its socket open
    });
  const pool = poolThat({ rejectUnauthorized: true });
  // Nobody signs certificates of a loopback address, and what is let through without TLS may come with any.
  const ownMachine = mode === 'local' ? poolThat({ rejectUnauthorized: false }) : pool;

  const attempt = async (
    destination: string,
    init: Pick<Dispatcher.RequestOptions, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    try {
      const checked = await checkDestination(destination, mode, resolve);
      if ('refused' in checked) return { error: `refused destination: ${checked.refused}` };
      signal.throwIfAborted(); // resolving took too long: the caller has been told, nothing may go out any more
      const { url, addresses } = checked;
      const release = pins.hold(url.hostname, addresses);
      try {
        const dispatcher = isThisMachine(hostOf(url)) ? ownMachine : pool;
        const answer = await request(url, { ...init, method: 'POST', dispatcher, signal });
        const retryAfter = [answer.headers['retry-after']].flat()[0];
        // Where the head is enough nobody is left to wait for a body that may never end.
        if (acknowledgedBy === 'headers') answer.body.on('error', () => {}).destroy();
        const bodyTruncated = acknowledgedBy === 'headers' || (await drain(answer.body, maxBodyBytes));
        await turn(); // undici takes a socket back one turn after the end; a send right behind this one would open another
        return { status: answer.statusCode, bodyTruncated, ...(retryAfter !== undefined && { retryAfter }) };
      } finally {
        release();
      }
    } catch (error) {
      return { error: inWords(error, timeoutMs) };
    }
  };

  return {
    async send(destination, headers, body) {
      const begun = performance.now();
      const deadline = new AbortController();
      const late = Promise.withResolvers<Outcome>();
      // The abort alone would not end the wait for a name or a handshake.
      const timer = setTimeout(() => {
        late.resolve({ error: timedOut(timeoutMs) });
        deadline.abort();
      }, timeoutMs);
      const outcome = await Promise.race([attempt(destination, { headers, body }, deadline.signal), late.promise]);
      clearTimeout(timer);
      return { ...outcome, durationMs: Math.round(performance.now() - begun) };
    },
    close: async () => void (await Promise.all([pool.destroy(), ownMachine.destroy()])),
  };
}

/** The judged addresses of the hosts with an attempt under way; nothing else is ever connected to by name. */
function createPins(): { hold(host: string, addresses: readonly JudgedAddress[]): () => void; lookup: LookupFunction } {
  const pins = new Map<string, { addresses: readonly JudgedAddress[]; attempts: number }>();
  return {
    hold(host, addresses) {
      const pin = pins.get(host) ?? { addresses, attempts: 0 };
      pin.addresses = addresses;
      pin.attempts += 1;
      pins.set(host, pin);
      return () => {
        pin.attempts -= 1;
        if (pin.attempts === 0) pins.delete(host);
      };
    },
    lookup(host, options, callback) {
      const [first, ...rest] = pins.get(host)?.addresses ?? [];
      if (first === undefined) callback(new Error(`no judged address of ${host}`), []);
      else if (options.all) callback(null, [first, ...rest]);
      else callback(null, first.address, first.family);
    },
  };
}

/** Reads the answer to its end or to `max` bytes; true when it was longer, and its socket is gone. */
function drain(body: Dispatcher.ResponseData['body'], max: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  let size = 0;
  body.on('error', reject);
  body.on('end', () => resolve(false));
  body.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= max) return;
    resolve(true);
    body.destroy();
    // Not before the parser, which is calling, is done with it.
    setImmediate(giveBack, chunk);
  });
  return promise;
}

/**
 * Node reads 64 KiB at once, and a flood fills them. Left to the collector, which comes when the heap of objects is full, they would grow to tens of
 * megabytes, and the allocator keeps most of that for good. Only buffers of at least half a pool have memory of their own (`Buffer.poolSize`).
 */
function giveBack({ length, buffer }: Buffer): void {
  if (length >= Buffer.poolSize / 2 && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

const timedOut = (timeoutMs: number) => `timeout after ${timeoutMs} ms`;
const TLS = /^(ERR_(TLS|SSL)_|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

const PHRASES: readonly (readonly [code: RegExp, phrase: string])[] = [
  [/^ECONNREFUSED$/, 'connection refused; is the receiver running, and on this port?'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection reset by the receiver'],
  [/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/, 'no route to the receiver'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'the headers of the answer are too large'],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, 'the sender is closed'],
];

function inWords(error: unknown, timeoutMs: number): string {
  const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return timedOut(timeoutMs);
  if (TLS.test(code)) return `TLS failed: ${message.trim()}; NODE_EXTRA_CA_CERTS=<file> adds an authority of your own`;
  if (error instanceof errors.HTTPParserError) return `the answer is not HTTP: ${message}`;
  // A FIN in the middle of an answer, or an answer that undici cannot take.
  if (code === 'UND_ERR_SOCKET')
    return message === 'other side closed' ? 'connection reset by the receiver' : `the answer is not HTTP: ${message}`;
  return PHRASES.find(([pattern]) => pattern.test(code))?.[1] ?? (message || code);
}
