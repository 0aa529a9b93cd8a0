import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { KeptBody } from './kept-body.ts';
import { findCursorOfCutPage } from './response-facts.ts';
import { redactBody, redactResponseHeaders, redactSent } from './secrets.ts';

/** A page of 200 users has about 50 KiB. */
const MAX_KEPT_BYTES = 65_536;
/** A compressed body with at most this size is decompressed for the journal. */
const MAX_COMPRESSED_BYTES = 65_536;
/** A body that is larger after decompression is not recorded. */
const MAX_DECODED_BYTES = 1_048_576;
/** The last part of a body that contains the cursor of a page. */
const TAIL_BYTES = 4096;

const DECODERS: Readonly<Record<string, (coded: Buffer, limits: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** What the journal keeps of a response that a proxy passes on in parts: without secrets, and not more than of the kit's own responses. */
export class ForwardedResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The address of a redirect, with its secrets. */
  readonly location: string | undefined;
  readonly body: KeptBody;
  readonly #coding: string | undefined;
  #compressed: Uint8Array[] | undefined = [];
  #compressedBytes = 0;
  #isUnreadable = false;
  #bytes = 0;
  #tail: Buffer = Buffer.alloc(0);

  /** @param raw a list: name, value, name, value */
  constructor(raw: readonly string[], request: IncomingHttpHeaders) {
    const headers = joinHeaders(raw, (name) => name.toLowerCase());
    const { 'content-encoding': coding = 'identity', location } = headers;
    this.location = location;
    this.headers = redactResponseHeaders(headers, request);
    this.#coding = coding.toLowerCase() === 'identity' ? undefined : coding.toLowerCase();
    // The request's door does not matter, because a target may send tokens from any path.
    this.body = new KeptBody((text) => {
      if (this.#isUnreadable) return text;
      return redactSent(redactBody(this.body.isCut ? dropLastWord(text) : text, 'any', false), request);
    }, MAX_KEPT_BYTES);
  }

  add(chunk: Uint8Array): void {
    if (this.#coding === undefined) this.#addDecoded(chunk);
    else {
      this.#compressedBytes += chunk.length;
      if (this.#compressedBytes <= MAX_COMPRESSED_BYTES) this.#compressed?.push(chunk);
      else this.#compressed = undefined;
    }
  }

  /** Call this when the body is complete. */
  end(): void {
    if (this.#compressedBytes === 0) return;
    const decoded = this.#decode();
    this.#isUnreadable = decoded === undefined;
    this.#addDecoded(decoded ?? Buffer.from(`[not recorded: the body is encoded as ${this.#coding}]`));
    this.#compressed = undefined;
  }

  /** The cursor of a page of which the journal keeps only a part. */
  get cutCursor(): string | null | undefined {
    return this.body.isCut ? findCursorOfCutPage(this.body.rawText, this.#tail.toString()) : undefined;
  }

  #decode(): Buffer | undefined {
    const decode = DECODERS[this.#coding!];
    if (decode === undefined || this.#compressed === undefined) return undefined;
    try {
      return decode(Buffer.concat(this.#compressed), { maxOutputLength: MAX_DECODED_BYTES });
    } catch {
      return undefined;
    }
  }

  #addDecoded(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    // The whole body is kept until here, so its end is needed only from now on.
    if (this.#bytes > MAX_KEPT_BYTES) {
      const before = this.body.isCut ? this.#tail : Buffer.from(this.body.rawText);
      const end = chunk.subarray(-TAIL_BYTES);
      // Copies the bytes, because a view would keep the whole chunk in memory.
      this.#tail = Buffer.concat([before.subarray(end.length - TAIL_BYTES), end]).subarray(-TAIL_BYTES);
    }
    this.body.add(chunk);
  }
}

/** @param raw a list: name, value, name, value */
export function joinHeaders(raw: readonly string[], toName = (name: string) => name): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = toName(raw[i]!);
    headers[name] = headers[name] === undefined ? raw[i + 1]! : `${headers[name]}, ${raw[i + 1]!}`;
  }
  return headers;
}

/** The end of a text that is cut may be a part of a secret, which cannot be recognized. */
function dropLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && /[\w.~+/=%-]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
