import { isNestedDeeper } from '../contract/validators.ts';

const MAX_BYTES = 16_384;

interface ShownBody {
  /** The parsed JSON value, or the text of a body that is not JSON. */
  readonly body: unknown;
  readonly bodyBytes: number;
  readonly truncated?: true;
}

/**
 * The memory of long bodies that were released. If every long body got memory of its own, V8 would have to free it, and would collect garbage
 * many times as often: for pages of 100 entities, that takes as long as half of their SQL.
 */
const unused: Buffer[] = [];
const MAX_UNUSED = 64;

/** Keeps the first 16 KiB of a body. The chunks are decoded when the body is read. */
export class KeptBody {
  #text: string | undefined = undefined;
  #chunks: (string | Uint8Array)[] = [];
  /** The memory of the last chunk, if only the first bytes of that chunk are kept. */
  #memory: Buffer | undefined = undefined;
  #kept = 0;
  #bytes = 0;

  add(chunk: string | Uint8Array): void {
    const length = Buffer.byteLength(chunk);
    const room = MAX_BYTES - this.#kept;
    if (length <= room) this.#chunks.push(chunk);
    else if (room > 0) this.#chunks.push(this.#firstBytes(chunk, room));
    this.#bytes += length;
    this.#kept += Math.min(length, room);
  }

  /** Whether the body is longer than its kept part. */
  get isCut(): boolean {
    return this.#bytes > this.#kept;
  }

  /** Replaces the text by the result of `by`, which removes secrets. */
  clean(by: (text: string) => string): void {
    this.#text = by(this.text);
    this.release();
  }

  /** Lets a later body use the memory of this body. Afterwards, only a text from `clean` can be read. */
  release(): void {
    this.#chunks = [];
    if (this.#memory !== undefined && unused.length < MAX_UNUSED) unused.push(this.#memory);
    this.#memory = undefined;
  }

  /** Returns the body in the form of a journal entry. @param clean removes secrets from the text */
  shown(clean = (text: string) => text): ShownBody {
    const text = clean(this.text);
    return { body: this.isCut ? text : value(text), bodyBytes: this.#bytes, ...(this.isCut && { truncated: true }) };
  }

  /** Decodes the chunks as UTF-8, up to the last complete character. */
  get text(): string {
    return this.#text ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#concatenated(), { stream: true });
  }

  #concatenated(): Buffer {
    return Buffer.concat(this.#chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
  }

  /** Copies the first bytes, because a view or a part of a string would keep the whole body in memory. */
  #firstBytes(chunk: string | Uint8Array, count: number): Uint8Array {
    this.#memory = unused.pop() ?? Buffer.allocUnsafeSlow(MAX_BYTES);
    // `write` stops before a character that does not fit.
    if (typeof chunk === 'string') return this.#memory.subarray(0, this.#memory.write(chunk, 0, count));
    this.#memory.set(chunk.subarray(0, count));
    return this.#memory.subarray(0, count);
  }
}

/** Parses a text as JSON. Returns the text if it is not JSON, or if the value is nested too deeply to be serialized again. */
function value(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isNestedDeeper(parsed) ? text : parsed;
  } catch {
    return text;
  }
}
