import { connect, type Socket } from 'node:net';

export interface Response {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * A kept-alive connection with one request under way at a time, on a bare socket: Node's own client takes more CPU time than the servers that it
 * would measure. It reads answers with a Content-Length, which all that are compared here send.
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
