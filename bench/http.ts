import { connect, type Socket } from 'node:net';

export interface Response {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * A persistent connection that sends one request at a time, on a plain socket: Node's own client uses more CPU time than the servers under measurement.
 * It requires a Content-Length, which all servers of the bench send.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve(response: Response): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  send(request: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#waiting?.reject(new Error(`an answer without Content-Length:\n${head}`));
      return;
    }
    const all = end + 4 + Number(length);
    if (this.#received.length < all) return;
    const body = this.#received.subarray(end + 4, all);
    this.#received = this.#received.subarray(all);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}

/** Opens another connection and repeats the request once if the server has closed the connection, as Prism sometimes does. */
export class Client {
  readonly #port: number;
  #connection: Connection;

  constructor(port: number) {
    this.#port = port;
    this.#connection = new Connection(port);
  }

  async send(request: string): Promise<Response> {
    try {
      return await this.#connection.send(request);
    } catch {
      this.#connection.close();
      this.#connection = new Connection(this.#port);
      return await this.#connection.send(request);
    }
  }

  close(): void {
    this.#connection.close();
  }
}

export interface Request {
  readonly method?: 'GET' | 'POST' | undefined;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: object | undefined;
}

export function requestText({ method = 'GET', path, token, body }: Request): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: application/json'];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  const text = body === undefined ? '' : JSON.stringify(body);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** The body of a response, which must have status 200. */
export async function getBody(port: number, request: Request): Promise<string> {
  const connection = new Connection(port);
  try {
    const { status, body } = await connection.send(requestText(request));
    if (status !== 200) throw new Error(`${request.path}: ${status} ${body}`);
    return body.toString();
  } finally {
    connection.close();
  }
}

/**
 * Requests for at most `count` pages of a list, evenly spread over the list. Follows the cursor to the end to find the pages.
 * @param path with a query, but without a cursor
 */
export async function pageRequests(port: number, path: string, token: string, count: number): Promise<string[]> {
  const connection = new Connection(port);
  const paths: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    paths.push(next);
    const { status, body } = await connection.send(requestText({ path: next, token }));
    if (status !== 200) throw new Error(`${next}: ${status} ${body}`);
    const { cursor } = JSON.parse(body.toString()) as { cursor: string | null };
    next = cursor === null ? undefined : `${path}&cursor=${cursor}`;
  }
  connection.close();
  const step = Math.max(1, paths.length / count);
  const spread = Array.from({ length: Math.min(count, paths.length) }, (_, i) => paths[Math.floor(i * step)]!);
  return spread.map((page) => requestText({ path: page, token }));
}
