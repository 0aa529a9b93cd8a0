// Reads HAR 1.2 files of browsers, Playwright, mitmproxy and gateways, which often lack members that the format requires.
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';

type Members = Readonly<Record<string, unknown>>;

/** One request of the file. Header names are in lower case. */
export interface HarEntry {
  readonly url: URL;
  readonly method: string;
  readonly startedAt: Date;
  /** 0 if it is not known. */
  readonly durationMs: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestText: string | undefined;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Undefined if the file does not contain the whole body. */
  readonly responseText: string | undefined;
  readonly location: string | undefined;
}

export class HarError extends Error {
  override readonly name = 'HarError';
}

/** @throws HarError if the file cannot be read, or is not a HAR */
export async function readHarFile(path: string): Promise<readonly HarEntry[]> {
  const text = await readFile(path, 'utf8').catch(({ code, errno, message }: NodeJS.ErrnoException) => {
    if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE')
      throw new HarError(`${path} is too large: a HAR may have at most 500 MB. Record or export fewer requests.`);
    throw new HarError(`${path} cannot be read: ${errno === undefined ? message : getSystemErrorMessage(errno)}.`);
  });
  return parseHar(text, path);
}

/** @param name the file's name, for error messages @throws HarError */
export function parseHar(text: string, name: string): readonly HarEntry[] {
  let har: unknown;
  try {
    har = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The error's message would contain a part of the file.
    throw new HarError(`${name} is not a HAR file: it is not JSON. In a browser, export the requests of the network panel as HAR.`);
  }
  const { entries } = toMembers(toMembers(har).log);
  if (!Array.isArray(entries)) throw new HarError(`${name} is not a HAR file: it has no member log.entries.`);
  return entries.flatMap((entry) => readEntry(toMembers(entry)) ?? []);
}

const toMembers = (value: unknown): Members => Object(value) as Members;
const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Returns undefined for what is no request to a server: an invalid entry, a WebSocket, or a response from a cache. */
function readEntry(entry: Members): HarEntry | undefined {
  const [request, response] = [toMembers(entry.request), toMembers(entry.response)];
  const url = URL.parse(toText(request.url) ?? '');
  const startedAt = new Date(toText(entry.startedDateTime) ?? Number.NaN);
  const responseHeaders = readHeaders(response.headers);
  // A cache between the client and the service adds Age (RFC 9111, section 5.1).
  const isCached = Boolean(entry._fromCache) || /cache/i.test(toText(entry._fetchType) ?? '') || responseHeaders.age !== undefined;
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && !/^websocket$/i.test(toText(entry._resourceType) ?? '');
  if (!isHttp || isCached || Number.isNaN(startedAt.getTime()) || typeof request.method !== 'string') return undefined;
  const status = Number(response.status);
  return {
    url,
    method: request.method.toUpperCase(),
    startedAt,
    durationMs: readDuration(entry),
    requestHeaders: readHeaders(request.headers),
    requestText: readRequestBody(toMembers(request.postData)),
    status: Number.isInteger(status) && status >= 100 ? status : undefined,
    responseHeaders,
    responseText: readResponseBody(toMembers(response.content), status, responseHeaders),
    location: responseHeaders.location ?? (toText(response.redirectURL) || undefined),
  };
}

function readDuration({ time, timings }: Members): number {
  const parts = Object.values(toMembers(timings)).filter((part): part is number => typeof part === 'number' && part > 0);
  return typeof time === 'number' && time > 0 ? time : parts.reduce((sum, part) => sum + part, 0);
}

/** HTTP/2 has pseudo-headers, such as `:authority`. Some gateways write an object instead of a list. */
function readHeaders(headers: unknown): Record<string, string> {
  const pairs = Array.isArray(headers)
    ? headers.map(toMembers).map(({ name, value }) => [name, value])
    : Object.entries(toMembers(headers));
  const read: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (typeof name !== 'string' || name.startsWith(':')) continue;
    const key = name.toLowerCase();
    read[key] = key in read ? `${read[key]}, ${String(value)}` : String(value);
  }
  return read;
}

function readRequestBody({ text, params, encoding }: Members): string | undefined {
  if (typeof text === 'string' && (text !== '' || !Array.isArray(params))) return decode(text, encoding);
  if (!Array.isArray(params)) return undefined;
  return new URLSearchParams(
    params.map(toMembers).map(({ name, value }): [string, string] => [String(name), String(value ?? '')]),
  ).toString();
}

function readResponseBody(
  { text, encoding, size }: Members,
  status: number,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  if (typeof text !== 'string') return status === 204 || headers['content-length'] === '0' ? '' : undefined;
  const decoded = decode(text, encoding);
  // Some tools cut long bodies. The size is that of the decompressed body.
  return decoded === undefined || (typeof size === 'number' && size > Buffer.byteLength(decoded)) ? undefined : decoded;
}

/** Returns undefined for a body that is not text, such as a compressed one. */
function decode(text: string, encoding: unknown): string | undefined {
  if (encoding !== 'base64') return text;
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
