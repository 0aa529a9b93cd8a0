import { isNestedDeeper } from '../contract/validators.ts';

const MAX_BYTES = 16_384;

interface BodyMembers {
  /** The parsed JSON value, or the text if the body is not JSON. */
  readonly body: unknown;
  readonly bodyBytes: number;
  readonly truncated?: true;
}

/** Buffers of released bodies. They are reused, because otherwise V8 would collect garbage far more often. */
const unusedBuffers: Buffer[] = [];
const MAX_UNUSED_BUFFERS = 64;

/** Records the first part of a body: by default 16 KiB. */
export class KeptBody {
  readonly #removeSecrets: (text: string) => string;
  readonly #maxBytes: number;
  #cleanText: string | undefined = undefined;
  #chunks: (string | Uint8Array)[] = [];
  #memory: Buffer | undefined = undefined;
  #kept = 0;
  #bytes = 0;

  constructor(removeSecrets = (text: string) => text, maxBytes = MAX_BYTES) {
    this.#removeSecrets = removeSecrets;
    this.#maxBytes = maxBytes;
  }

  add(chunk: string | Uint8Array): void {
    const length = Buffer.byteLength(chunk);
    const remainingBytes = this.#maxBytes - this.#kept;
    if (length <= remainingBytes) this.#chunks.push(chunk);
    else if (remainingBytes > 0) this.#chunks.push(this.#firstBytes(chunk, remainingBytes));
    this.#bytes += length;
    this.#kept += Math.min(length, remainingBytes);
  }

  get isCut(): boolean {
    return this.#bytes > this.#kept;
  }

  /** Removes the secrets. Call this when the body is complete. */
  settle(): void {
    this.#cleanText = this.#removeSecrets(this.rawText);
    this.release();
  }

  /** Lets a later body reuse the buffer. The text is lost unless `settle` was called. */
  release(): void {
    this.#chunks = [];
    if (this.#memory?.length === MAX_BYTES && unusedBuffers.length < MAX_UNUSED_BUFFERS) unusedBuffers.push(this.#memory);
    this.#memory = undefined;
  }

  /** Returns undefined if no bytes have arrived. */
  toBodyMembers(): BodyMembers | undefined {
    if (this.#bytes === 0) return undefined;
    const text = this.#cleanText ?? this.#removeSecrets(this.rawText);
    return { body: this.isCut ? text : parseJsonOrText(text), bodyBytes: this.#bytes, ...(this.isCut && { truncated: true }) };
  }

  /** The text before `settle`, with its secrets: the chunks as UTF-8, up to the last complete character. */
  get rawText(): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#concatenated(), { stream: true });
  }

  #concatenated(): Buffer {
    return Buffer.concat(this.#chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
  }

  /** Copies the bytes, because a view or a substring would keep the whole chunk in memory. */
  #firstBytes(chunk: string | Uint8Array, count: number): Uint8Array {
    this.#memory = (this.#maxBytes === MAX_BYTES ? unusedBuffers.pop() : undefined) ?? Buffer.allocUnsafeSlow(this.#maxBytes);
    // `write` never splits a character.
    if (typeof chunk === 'string') return this.#memory.subarray(0, this.#memory.write(chunk, 0, count));
    this.#memory.set(chunk.subarray(0, count));
    return this.#memory.subarray(0, count);
  }
}

function parseJsonOrText(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isNestedDeeper(parsed) ? text : parsed;
  } catch {
    return text;
  }
}
