import { isNestedDeeper } from '../contract/validators.ts';

const MAX_BYTES = 16_384;

interface ShownBody {
  /** The parsed JSON value, or the text of a body that is not JSON. */
  readonly body: unknown;
  readonly bodyBytes: number;
  readonly truncated?: true;
}

/** Keeps the first 16 KiB of a body. The chunks are decoded when the body is read. */
export class KeptBody {
  #text: string | undefined = undefined;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  add(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const room = MAX_BYTES - this.#kept;
    // The bytes are copied, because a view would keep the whole buffer in memory.
    const part = bytes.length <= room ? bytes : Uint8Array.from(bytes.subarray(0, room));
    this.#bytes += bytes.length;
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** Whether the body is longer than its kept part. */
  get isCut(): boolean {
    return this.#bytes > this.#kept;
  }

  /** Replaces the text by the result of `by`, which removes secrets. */
  clean(by: (text: string) => string): void {
    this.#text = by(this.text);
    this.#chunks = [];
  }

  /** Returns the body in the form of a journal entry. @param clean removes secrets from the text */
  shown(clean = (text: string) => text): ShownBody {
    const text = clean(this.text);
    return { body: this.isCut ? text : value(text), bodyBytes: this.#bytes, ...(this.isCut && { truncated: true }) };
  }

  /** Decodes the chunks as UTF-8, up to the last complete character. */
  get text(): string {
    return this.#text ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(this.#chunks), { stream: true });
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
