import { connect } from 'node:net';

/** One response as it came over the wire. Header names are in lower case; repeated ones are joined by a comma. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawExchange {
  /** Interim (1xx) responses are not among them. */
  readonly responses: readonly RawResponse[];
  /** What came after the last complete response, or instead of one. */
  readonly rest: string;
  readonly closed: boolean;
}

export interface RawSending {
  readonly port: number;
  readonly host?: string;
  /** Sent one after the other, without waiting in between. Strings are latin1: one character, one byte. */
  readonly bytes: string | Buffer;
  /** Final responses to wait for; when the last asks to close, the end of the connection is waited for as well. Default 1. */
  readonly responses?: number;
  /** Ends the sending side after the bytes. */
  readonly fin?: boolean;
  /** The request is a HEAD: its response has no body whatever its headers say. */
  readonly head?: boolean;
  /** Milliseconds until the exchange is given up as it stands. Default 5 s. */
  readonly patienceMs?: number;
}

interface Taken {
  readonly response: RawResponse;
  readonly length: number;
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function chunkedBody(text: string): { body: string; length: number } | undefined {
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

/** Takes the first complete response off the text; undefined when there is none yet. */
function take(text: string, head: boolean): Taken | undefined {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) /.exec(`${statusLine} `)?.[1]);
  if (end === -1 || Number.isNaN(status)) return undefined;
  const headers = headersOf(lines);
  const start = end + 4;
  if (head || status < 200 || status === 204 || status === 304) return { response: { status, headers, body: '' }, length: start };
  const chunked = headers['transfer-encoding'] === 'chunked' ? chunkedBody(text.slice(start)) : undefined;
  const length = chunked?.length ?? Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length) || text.length < start + length) return undefined;
  const body = Buffer.from(chunked?.body ?? text.slice(start, start + length), 'latin1').toString();
  return { response: { status, headers, body }, length: start + length };
}

/** Sends bytes over a TCP socket of its own and reads what comes back. Never rejects: a refused connection is an empty exchange. */
export function sendRaw({
  port,
  host = '127.0.0.1',
  bytes,
  responses: wanted = 1,
  fin = false,
  head = false,
  patienceMs = 5_000,
}: RawSending): Promise<RawExchange> {
  return new Promise((resolve) => {
    const responses: RawResponse[] = [];
    let rest = '';
    const socket = connect({ port, host, allowHalfOpen: true });
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ responses, rest, closed });
    };
    const timer = setTimeout(() => finish(false), patienceMs);
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      if (fin) socket.end();
    });
    socket.on('data', (text: string) => {
      rest += text;
      for (let taken = take(rest, head); taken !== undefined; taken = take(rest, head)) {
        rest = rest.slice(taken.length);
        if (taken.response.status >= 200) responses.push(taken.response);
      }
      if (responses.length >= wanted && responses.at(-1)?.headers.connection !== 'close') finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}
