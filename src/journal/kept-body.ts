import { isNestedDeeper } from '../contract/validators.ts';

const MAX_BYTES = 16_384;

interface ShownBody {
  /** A JSON value, or the text. */
  readonly body: unknown;
  readonly bodyBytes: number;
  readonly truncated?: true;
}

/** The beginning of a body. Chunks are kept as they come, which costs next to nothing; they become text when read. */
export class KeptBody {
  #text: string | undefined = undefined;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  /** @param chunk a string is the whole body. */
  add(chunk: string | Uint8Array): void {
    if (typeof chunk === 'string' && chunk.length <= MAX_BYTES) {
      this.#text = chunk;
      this.#bytes = this.#kept = chunk.length;
      return;
    }
    this.#bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const room = MAX_BYTES - this.#kept;
    if (room === 0) return;
    // A copy: a part of a large text or buffer would keep all of it.
    const part = typeof chunk === 'string' ? beginningOf(chunk) : chunk.length <= room ? chunk : Uint8Array.from(chunk.subarray(0, room));
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** Replaces the text by the result of the function. */
  clean(by: (text: string) => string): void {
    this.#text = by(this.#asText());
    this.#chunks = [];
  }

  /** @param clean applied to the text first. */
  shown(clean = (text: string) => text): ShownBody {
    const text = clean(this.#asText());
    const truncated = this.#bytes > this.#kept;
    return { body: truncated ? text : value(text), bodyBytes: this.#bytes, ...(truncated && { truncated }) };
  }

  #asText(): string {
    return this.#text ?? Buffer.concat(this.#chunks).toString();
  }
}

/** UTF-8, to the last whole character that fits. */
function beginningOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(MAX_BYTES);
  return bytes.subarray(0, bytes.write(text));
}

/** The JSON value of a text, or the text itself if it is not JSON or nested too deeply to be serialized again. */
function value(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isNestedDeeper(parsed) ? text : parsed;
  } catch {
    return text;
  }
}
