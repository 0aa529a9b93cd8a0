/** Bytes to send and the responses to expect. Every response with status 400 or more must be a problem. */
export interface RawCase {
  readonly name: string;
  readonly bytes: string | Buffer;
  /** The allowed statuses of each response, in order. */
  readonly answers: readonly (readonly number[])[];
  /** The request is a HEAD: its response has no body. */
  readonly head?: true;
  /** Close the sending side after the bytes. */
  readonly fin?: true;
  /** The response comes only after the server's headers or request timeout. */
  readonly slow?: true;
}

/** Paths of the service under test. */
export interface RawTarget {
  /** Accepts GET. */
  readonly read: string;
  /** Accepts POST with JSON. */
  readonly write: string;
}

export const MALFORMED = [[400]];
/** For well-formed requests. They reach the routes, which may accept or refuse them. */
export const ROUTED = [200, 201, 204, 400, 401, 403, 404, 405, 409, 422];

/** Functions that write the messages of the cases. Values are not escaped. */
export function rawMessages({ read, write }: RawTarget) {
  const get = (headers = '', target = read) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
  const post = (headers: string, body: string) =>
    `POST ${write} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
  return {
    get,
    post,
    /** A request with this request line. */
    line: (requestLine: string) => `${requestLine}\r\nHost: localhost\r\n\r\n`,
    /** A valid GET, except for its Host header. */
    hosted: (value: string) => `GET ${read} HTTP/1.1\r\nHost:${value}\r\n\r\n`,
    chunked: (body: string) => post('Transfer-Encoding: chunked\r\n', body),
    /** A chunked body with these Transfer-Encoding headers. */
    encoding: (...values: string[]) => post(values.map((value) => `Transfer-Encoding: ${value}\r\n`).join(''), '2\r\n{}\r\n0\r\n\r\n'),
    good: get(),
  };
}

export function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}
