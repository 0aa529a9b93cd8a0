/** The default limit for a body, in bytes after decompression. */
const MAX_BODY_BYTES = 16_000_000;

const TIMEOUT_MS = 60_000;

interface Limits {
  readonly maxBytes?: number;
  /** The maximum time from the request to the body's last byte, in milliseconds. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

class BodyLimitError extends Error {}

/** Collects the chunks of a body, which may be endless. */
export class LimitedBody {
  readonly #chunks: Uint8Array[] = [];
  readonly #maxBytes: number;
  #size = 0;

  constructor(maxBytes = MAX_BODY_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @throws BodyLimitError */
  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size > this.#maxBytes) throw new BodyLimitError(`the body is larger than ${this.#maxBytes / 1e6} MB`);
    this.#chunks.push(chunk);
  }

  read(): Buffer<ArrayBuffer> {
    return Buffer.concat(this.#chunks);
  }
}

/**
 * Like `fetch`, but reads the whole body, up to a limit.
 * @throws Error that names the URL, without its query, and the exceeded limit; the errors of `fetch`
 */
export async function fetchWhole(
  input: string | Request,
  init?: Omit<RequestInit, 'signal'>,
  { maxBytes, timeoutMs = TIMEOUT_MS, fetch: send = fetch }: Limits = {},
): Promise<Response> {
  const { origin, pathname } = new URL(typeof input === 'string' ? input : input.url);
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = typeof input === 'string' ? deadline : AbortSignal.any([deadline, input.signal]);
  const body = new LimitedBody(maxBytes);
  try {
    const response = await send(input, { ...init, signal });
    for await (const chunk of response.body ?? []) body.add(chunk);
    const bytes = body.read();
    return copyResponse(response, bytes.length === 0 ? null : bytes);
  } catch (error) {
    if (deadline.aborted) throw new Error(`${origin}${pathname}: there was no complete response within ${timeoutMs / 1000} s`);
    throw error instanceof BodyLimitError ? new Error(`${origin}${pathname}: ${error.message}`) : error;
  }
}

/** `fetch` returns every status and reason phrase, but the constructor refuses statuses above 599 and letters outside ASCII. */
function copyResponse({ status, statusText, ok, headers }: Response, body: Buffer<ArrayBuffer> | null): Response {
  const values = { status: { value: status }, statusText: { value: statusText }, ok: { value: ok } };
  return Object.defineProperties(new Response(body, { headers }), values);
}
