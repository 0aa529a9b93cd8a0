import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HealthyReceivers {
  readonly urls: readonly string[];
  /** By user and receiver: milliseconds from the timestamp of the event to its first arrival. */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startHealthyReceivers(count: number): Promise<HealthyReceivers> {
  const arrivals = new Map<string, number>();
  const servers = Array.from({ length: count }, (_, n) =>
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const arrived = Date.now();
      const { timestamp, data } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string; data: { userId: string } };
      const key = `${data.userId} ${n}`;
      if (!arrivals.has(key)) arrivals.set(key, arrived - Date.parse(timestamp));
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    arrivals,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}
