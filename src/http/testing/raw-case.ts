/** What a case must be answered with: statuses allowed for each response in turn. Whatever is 400 or more must be a problem. */
export interface RawCase {
  /** A sentence's end: "the service answers …". */
  readonly name: string;
  readonly bytes: string | Buffer;
  readonly answers: readonly (readonly number[])[];
  /** `problem` (default); `head`: headers alone, the request being HEAD. */
  readonly body?: 'problem' | 'head';
  /** The sending side ends after the bytes. */
  readonly fin?: true;
  /** Answered only when the server's headers or request timeout has passed. */
  readonly slow?: true;
}

/** Paths of the service under test: one that GET knows, one that takes a POST of JSON, and the Host it answers for. */
export interface RawTarget {
  readonly read: string;
  readonly write: string;
  readonly host?: string;
}

export const MALFORMED = [[400]];
/** Well-formed, so it reaches the routes: there it may be served, unauthorized, unknown, not allowed or invalid. */
export const ROUTED = [200, 201, 204, 400, 401, 403, 404, 405, 409, 422];

/** The ways the cases write their messages. Values may be anything, CR and LF included. */
export function rawMessages({ read, write, host = 'localhost' }: RawTarget) {
  const get = (headers = '', target = read) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
  const post = (headers: string, body: string) =>
    `POST ${write} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
  return {
    get,
    post,
    /** A request of the line and our Host. */
    line: (requestLine: string) => `${requestLine}\r\nHost: ${host}\r\n\r\n`,
    /** A good GET whose Host is written like this. */
    hosted: (value: string) => `GET ${read} HTTP/1.1\r\nHost:${value}\r\n\r\n`,
    chunked: (body: string) => post('Transfer-Encoding: chunked\r\n', body),
    /** A chunked body under these Transfer-Encoding headers. */
    encoding: (...values: string[]) => post(values.map((value) => `Transfer-Encoding: ${value}\r\n`).join(''), '2\r\n{}\r\n0\r\n\r\n'),
    good: get(),
  };
}

export function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}
