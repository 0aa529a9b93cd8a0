import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver whose answers are of no use, or of no end. */
export interface BadReceiver {
  readonly url: string;
  readonly attempts: number;
  close(): Promise<void>;
}

export interface BadReceivers {
  readonly all: readonly BadReceiver[];
  /** Requests that came where the redirect leads: there must be none. */
  readonly trapped: number;
  close(): Promise<void>;
}

const SECOND = 1000;
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const HUGE = 400;

export async function startBadReceivers(): Promise<BadReceivers> {
  const trap = await bad((response) => void response.writeHead(204).end());
  const all = await Promise.all([
    bad(() => {}),
    bad((response) => void response.socket?.resetAndDestroy()),
    bad(dripping),
    bad(huge),
    bad((response) => void response.writeHead(307, { location: trap.url }).end()),
  ]);
  return {
    all,
    get trapped() {
      return trap.attempts;
    },
    close: async () => void (await Promise.all([trap, ...all].map((it) => it.close()))),
  };
}

function dripping(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 3600 });
  const timer = setInterval(() => response.write('x'), SECOND);
  response.once('close', () => clearInterval(timer));
}

/** 503, so that it comes again; as much as the other side takes. */
function huge(response: ServerResponse): void {
  response.writeHead(503, { 'content-length': HUGE * MEGABYTE.length });
  let left = HUGE;
  const more = () => {
    while (left-- > 0) if (!response.write(MEGABYTE)) return;
    response.end();
  };
  response.on('drain', more);
  more();
}

async function bad(answer: (response: ServerResponse) => void): Promise<BadReceiver> {
  let attempts = 0;
  const server = createServer((request, response) => {
    attempts += 1;
    request.resume().once('end', () => answer(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    get attempts() {
      return attempts;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
