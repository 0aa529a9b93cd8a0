import { connect } from 'node:net';

/** Header names are in lower case. Repeated headers are joined with a comma. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawExchange {
  /** The final responses. Interim (1xx) responses are omitted. */
  readonly responses: readonly RawResponse[];
  /** The text that was received after the last complete response. */
  readonly rest: string;
  readonly closed: boolean;
}

export interface RawRequest {
  readonly port: number;
  /** A string is encoded as latin1. */
  readonly bytes: string | Buffer;
  /** The number of final responses to wait for. Default 1. */
  readonly responses?: number;
  readonly endsAfterBytes?: boolean;
  /** Whether the method is HEAD, so that the response has no body even with a Content-Length. */
  readonly isHead?: boolean;
}

const TIMEOUT_MS = 20_000;

interface ParsedResponse {
  readonly response: RawResponse;
  readonly length: number;
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function parseChunkedBody(text: string): { body: string; length: number } | undefined {
  let body = '';
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, end), 16);
    if (end === -1 || Number.isNaN(size) || text.length < end + 2 + size + 2) return undefined;
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
    if (size === 0) return { body, length: at };
  }
}

/** Returns undefined if the response is incomplete. */
function parseResponse(text: string, isHead: boolean): ParsedResponse | undefined {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) /.exec(`${statusLine} `)?.[1]);
  if (end === -1 || Number.isNaN(status)) return undefined;
  const headers = parseHeaders(lines);
  const start = end + 4;
  if (isHead || status < 200 || status === 204 || status === 304) return { response: { status, headers, body: '' }, length: start };
  const chunked = headers['transfer-encoding'] === 'chunked' ? parseChunkedBody(text.slice(start)) : undefined;
  const length = chunked?.length ?? Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length) || text.length < start + length) return undefined;
  const body = Buffer.from(chunked?.body ?? text.slice(start, start + length), 'latin1').toString();
  return { response: { status, headers, body }, length: start + length };
}

/** Never rejects. */
export function sendRaw({
  port,
  bytes,
  responses: expected = 1,
  endsAfterBytes = false,
  isHead = false,
}: RawRequest): Promise<RawExchange> {
  return new Promise((resolve) => {
    const responses: RawResponse[] = [];
    let rest = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ responses, rest, closed });
    };
    const timer = setTimeout(() => finish(false), TIMEOUT_MS);
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      if (endsAfterBytes) socket.end();
    });
    socket.on('data', (text: string) => {
      rest += text;
      for (let parsed = parseResponse(rest, isHead); parsed !== undefined; parsed = parseResponse(rest, isHead)) {
        rest = rest.slice(parsed.length);
        if (parsed.response.status >= 200) responses.push(parsed.response);
      }
      if (responses.length >= expected && responses.at(-1)?.headers.connection !== 'close') finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}
