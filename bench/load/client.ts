import { Connection, type Response } from './connection.ts';

/** One connection after another: a server may close the one that it kept (Prism does now and then), and then the request is sent again, once. */
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
