import { isNestedDeeper } from '../contract/validators.ts';

/** As much of a body as is kept. */
const MOST_BYTES = 16_384;

interface ShownBody {
  /** A JSON value, or the text. */
  readonly body: unknown;
  readonly bodyBytes: number;
  readonly truncated?: true;
}

/** The beginning of a body. It is kept as it comes, for that costs next to nothing, and becomes text when somebody asks. */
export class KeptBody {
  #text: string | undefined = undefined;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  /** @param chunk the whole body where it is text. */
  add(chunk: string | Uint8Array): void {
    if (typeof chunk === 'string' && chunk.length <= MOST_BYTES) {
      this.#text = chunk;
      this.#bytes = this.#kept = chunk.length;
      return;
    }
    this.#bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const room = MOST_BYTES - this.#kept;
    if (room === 0) return;
    // A copy: a part of a large text or buffer would keep all of it.
    const part = typeof chunk === 'string' ? beginningOf(chunk) : chunk.length <= room ? chunk : Uint8Array.from(chunk.subarray(0, room));
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** Keeps what the function makes of it. */
  clean(by: (text: string) => string): void {
    this.#text = by(this.#asText());
    this.#chunks = [];
  }

  /** @param clean what it still needs, if anything. */
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
  const bytes = Buffer.allocUnsafeSlow(MOST_BYTES);
  return bytes.subarray(0, bytes.write(text));
}

/** The JSON value of a text. A text that is not JSON, or that is nested too deeply to be serialized again, stays a text. */
function value(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isNestedDeeper(parsed) ? text : parsed;
  } catch {
    return text;
  }
}
