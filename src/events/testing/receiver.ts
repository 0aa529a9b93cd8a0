import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderEvent } from '../../domain/events.ts';

/** A received delivery. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly event: ProviderEvent;
  readonly text: string;
}

/** An HTTP server that receives deliveries. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the status of further responses, or a function that sends them. */
  answerWith(answer: number | ((response: ServerResponse) => void)): void;
  /** Resolves when at least `count` deliveries were received. */
  atLeast(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let answer: (response: ServerResponse) => void = (response) => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    received.push({
      headers: request.headers,
      // Parsed on access, because operators can send bodies that are not JSON.
      get event() {
        return JSON.parse(text) as ProviderEvent;
      },
      text,
    });
    for (const check of waiting) check();
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith(given) {
      answer = typeof given === 'number' ? (response) => void response.writeHead(given).end() : given;
    },
    atLeast: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
