import { isNestedDeeper } from '../contract/validators.ts';

const MAX_BYTES = 16_384;

interface ShownBody {
  /** A JSON value, or the text. */
  readonly body: unknown;
  readonly bodyBytes: number;
  readonly truncated?: true;
}

/** The first 16 KiB of a body. Its chunks are decoded only when the body is read. */
export class KeptBody {
  #text: string | undefined = undefined;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  add(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const room = MAX_BYTES - this.#kept;
    // The part is copied, because a view would keep the whole buffer in memory.
    const part = bytes.length <= room ? bytes : Uint8Array.from(bytes.subarray(0, room));
    this.#bytes += bytes.length;
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** Replaces the text by the result of the function, which removes secrets. */
  clean(by: (text: string) => string): void {
    this.#text = by(this.#asText());
    this.#chunks = [];
  }

  /** The body as an entry of the journal shows it. @param clean removes secrets from the text. */
  shown(clean = (text: string) => text): ShownBody {
    const text = clean(this.#asText());
    const truncated = this.#bytes > this.#kept;
    return { body: truncated ? text : value(text), bodyBytes: this.#bytes, ...(truncated && { truncated }) };
  }

  /** Decodes the chunks as UTF-8, up to the last complete character. */
  #asText(): string {
    return this.#text ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(this.#chunks), { stream: true });
  }
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
