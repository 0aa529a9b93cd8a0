import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from './exchanges.ts';

/** Says in a request which answer is meant, and in the answer that it comes from here. */
export const MARK = 'x-exchange';

export interface Replay {
  readonly url: string;
  close(): Promise<void>;
}

/** A server that gives the answers of these exchanges again, whatever it is asked. */
export async function startReplay(exchanges: readonly Exchange[]): Promise<Replay> {
  const server = createServer((request, response) => {
    request.resume();
    const mark = String(request.headers[MARK]);
    const reply = exchanges[Number(mark)]?.reply;
    response.writeHead(reply?.status ?? 500, { ...reply?.headers, ...(reply && { [MARK]: mark }) });
    response.end(reply?.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
