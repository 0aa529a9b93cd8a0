import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher, errors } from 'undici';
import { createDeadlines, createTimeoutMessage } from './deadlines.ts';
import { type AllowedAddress, checkDestination, type DestinationMode, isLoopbackHost, type Resolve } from './destination.ts';

export interface SenderOptions {
  readonly mode: DestinationMode;
  /** The maximum time from the call to the response's last byte, in milliseconds of wall time. */
  readonly timeoutMs: number;
  readonly resolve?: Resolve;
  /** What must arrive within `timeoutMs` (decision `events.delivery.acknowledged-by`). The default is headers and body. */
  readonly acknowledgedBy?: 'headers-and-body' | 'headers';
  readonly keepBody?: boolean;
}

/** The result of one attempt. `error` is for the operator, `retryAfter` is unparsed, and `body` may be cut off. */
export type SendResult =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

export interface Sender {
  /** Checks the destination and sends one POST request. The promise never rejects. Does not follow redirects or retry. */
  send(destination: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Promise<SendResult>;
  /** Aborts requests in flight. To let them finish, await the promises from `send` first. */
  close(): Promise<void>;
}

type UntimedResult<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
type Outcome = UntimedResult<SendResult>;

/** The part of a response body that is kept. */
const MAX_KEPT_BYTES = 16_384;

/** A larger response body counts as endless, so it does not acknowledge the delivery. */
const MAX_RESPONSE_BODY_BYTES = 1_000_000;

export function createSender({ mode, timeoutMs, resolve, acknowledgedBy = 'headers-and-body', keepBody }: SenderOptions): Sender {
  /** Each host's allowed addresses, from the latest check. The sender connects only to these addresses. */
  const allowed = new Map<string, readonly AllowedAddress[]>();
  const lookup: LookupFunction = (host, _, callback) => callback(null, [...allowed.get(host)!]); // `autoSelectFamily` needs all addresses.
  const createPool = (rejectUnauthorized: boolean) =>
    new Agent({
      // The attempt's deadline replaces these two timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: timeoutMs, lookup, autoSelectFamily: true, rejectUnauthorized },
      allowH2: false, // With HTTP/2, cutting a response off would leave its socket open.
    });
  const pool = createPool(true);
  // Local mode does not verify the certificates of loopback addresses, because no authority issues such certificates.
  const loopbackPool = mode === 'local' ? createPool(false) : pool;

  const deadlines = createDeadlines();

  async function sendRequest(
    destination: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
    progress: Progress,
  ): Promise<Outcome> {
    try {
      // Avoid `await` for a cached result, because `await` takes time.
      const checking = checkDestination(destination, mode, resolve);
      const checked = checking instanceof Promise ? await checking : checking;
      if ('refused' in checked) return { error: `refused destination: ${checked.refused}` };
      // After a slow name lookup, `send` has already returned a timeout, so nothing may be sent now.
      if (progress.isOver) return { error: createTimeoutMessage(timeoutMs) };
      const { host, origin, path, addresses } = checked;
      allowed.set(host, addresses);
      const dispatcher = isLoopbackHost(host) ? loopbackPool : pool;
      const { status, retryAfter, chunks } = await post(
        dispatcher,
        { origin, path, headers, body },
        acknowledgedBy === 'headers',
        progress,
      );
      const text = keepBody && Buffer.concat(chunks).toString();
      return { status, ...(retryAfter !== undefined && { retryAfter }), ...(keepBody && { body: text as string }) };
    } catch (error) {
      return { error: describeError(error, timeoutMs) };
    }
  }

  return {
    send(destination, headers, body) {
      const startedAt = performance.now();
      const { promise, resolve: end } = Promise.withResolvers<SendResult>();
      const finish = (outcome: Outcome) => end({ ...outcome, durationMs: Math.round(performance.now() - startedAt) });
      const progress = {
        deadline: startedAt + timeoutMs,
        isOver: false,
        abort: () => {},
        // An abort does not end a name lookup or a TLS handshake.
        onDeadline() {
          this.isOver = true;
          finish({ error: createTimeoutMessage(timeoutMs) });
          this.abort();
        },
      };
      deadlines.add(progress);
      void sendRequest(destination, headers, body, progress).then((outcome) => {
        if (deadlines.delete(progress)) finish(outcome);
      });
      return promise;
    },
    close: async () => void (await Promise.all([pool.destroy(), loopbackPool.destroy()])),
  };
}

interface Progress {
  readonly isOver: boolean;
  abort(): void;
}

interface Response {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly chunks: readonly Buffer[];
}

/**
 * Closes the socket when too much of the body has been read, because the body may never end. Uses undici's handler interface, because
 * `request` is slower.
 */
function post(
  dispatcher: Dispatcher,
  request: {
    readonly origin: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | Uint8Array;
  },
  headersSuffice: boolean,
  progress: Progress,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const chunks: Buffer[] = [];
  let response: Response | undefined;
  let size = 0;
  // Resolve in the next event loop turn, because undici can reuse the socket only then.
  const resolveInNextEventLoopTurn = () => setImmediate(resolve, response!);
  const close = (controller: Dispatcher.DispatchController) => {
    if (response) resolve(response);
    controller.abort(new errors.RequestAbortedError());
  };
  dispatcher.dispatch(
    { method: 'POST', ...request },
    {
      onRequestStart(controller) {
        progress.abort = () => close(controller);
        if (progress.isOver) close(controller);
      },
      onResponseStart(controller, status, headers) {
        // A status from 100 to 199 is informational, and the final response follows.
        if (status < 200) return;
        response = { status, retryAfter: [headers['retry-after']].flat()[0], chunks };
        if (headersSuffice) close(controller);
      },
      onResponseData(controller, chunk) {
        if (size < MAX_KEPT_BYTES) chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_RESPONSE_BODY_BYTES)
          controller.abort(new Error(`the response body is larger than ${MAX_RESPONSE_BODY_BYTES / 1e6} MB`));
      },
      onResponseEnd: () => queueMicrotask(resolveInNextEventLoopTurn),
      onResponseError: (_, error) => reject(error),
    },
  );
  return promise;
}

const TLS_ERROR = /^(ERR_(TLS|SSL)_|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

const ERROR_PHRASES: readonly (readonly [code: RegExp, phrase: string])[] = [
  [/^ECONNREFUSED$/, 'connection refused; check that the receiver is running on this port'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection reset by the receiver'],
  [/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/, 'no route to the receiver'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'the response headers are too large'],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, 'the sender is closed'],
];

function describeError(error: unknown, timeoutMs: number): string {
  const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return createTimeoutMessage(timeoutMs);
  if (TLS_ERROR.test(code)) return `TLS failed: ${message.trim()}; NODE_EXTRA_CA_CERTS=<file> adds your own certificate authority`;
  if (error instanceof errors.HTTPParserError) return `the response is not HTTP: ${message}`;
  // The receiver closed the connection, or undici cannot parse the response.
  if (code === 'UND_ERR_SOCKET')
    return message === 'other side closed' ? 'connection reset by the receiver' : `the response is not HTTP: ${message}`;
  return ERROR_PHRASES.find(([pattern]) => pattern.test(code))?.[1] ?? (message || code);
}
