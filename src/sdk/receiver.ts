import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { EventHandler, Received } from './event-types.ts';

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

/** Responds with 500 if `handle` throws. */
export async function startReceiver(handle: EventHandler): Promise<Receiver> {
  const received: Received[] = [];
  const errors: unknown[] = [];
  const server = createServer(async (request, response) => {
    try {
      const delivery = await receive(request);
      received.push(delivery);
      const { status = 204 } = Object(await handle(delivery.event, delivery)) as { status?: number };
      response.writeHead(status).end();
    } catch (error) {
      errors.push(error);
      response.writeHead(500).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Lets a test process end even if it does not close the kit.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    errors,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const text = await textOf(request);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { headers, text, event: JSON.parse(text) as Received['event'] };
}
