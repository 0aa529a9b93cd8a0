import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of the loopback interface. */
export interface Endpoint {
  readonly url: string;
  close(): Promise<void>;
}

export async function startEndpoint(listener: RequestListener): Promise<Endpoint> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface HealthyReceivers {
  readonly urls: readonly string[];
  /** By user and receiver: milliseconds from the timestamp of the event to its first arrival. */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startHealthyReceivers(count: number): Promise<HealthyReceivers> {
  const arrivals = new Map<string, number>();
  const endpoints = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      startEndpoint(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const arrived = Date.now();
        const { timestamp, data } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string; data: { userId: string } };
        const key = `${data.userId} ${n}`;
        if (!arrivals.has(key)) arrivals.set(key, arrived - Date.parse(timestamp));
        response.writeHead(204).end();
      }),
    ),
  );
  return {
    urls: endpoints.map(({ url }) => url),
    arrivals,
    close: async () => void (await Promise.all(endpoints.map((endpoint) => endpoint.close()))),
  };
}

/** Receivers that never answer, reset the connection, answer slowly, send a huge body, or redirect. */
export interface BadReceivers {
  readonly urls: readonly string[];
  /** Requests to any of them. */
  readonly attempts: number;
  /** Requests to the target of the redirect. There must be none. */
  readonly redirectsFollowed: number;
  close(): Promise<void>;
}

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const HUGE_BODY_MB = 400;

export async function startBadReceivers(): Promise<BadReceivers> {
  let attempts = 0;
  let redirectsFollowed = 0;
  const redirectTarget = await startEndpoint((_, response) => {
    redirectsFollowed += 1;
    response.writeHead(204).end();
  });
  const answers: readonly ((response: ServerResponse) => void)[] = [
    () => {},
    (response) => response.socket?.resetAndDestroy(),
    answerSlowly,
    answerWithHugeBody,
    (response) => response.writeHead(307, { location: redirectTarget.url }).end(),
  ];
  const endpoints = await Promise.all(
    answers.map((answer) =>
      startEndpoint((request, response) => {
        attempts += 1;
        request.resume().once('end', () => answer(response));
      }),
    ),
  );
  return {
    urls: endpoints.map(({ url }) => url),
    get attempts() {
      return attempts;
    },
    get redirectsFollowed() {
      return redirectsFollowed;
    },
    close: async () => void (await Promise.all([redirectTarget, ...endpoints].map((endpoint) => endpoint.close()))),
  };
}

/** One byte per second for an hour. */
function answerSlowly(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 3600 });
  const timer = setInterval(() => response.write('x'), 1000);
  response.once('close', () => clearInterval(timer));
}

/** With status 503, so that the delivery is retried. */
function answerWithHugeBody(response: ServerResponse): void {
  response.writeHead(503, { 'content-length': HUGE_BODY_MB * MEGABYTE.length });
  let left = HUGE_BODY_MB;
  const write = () => {
    while (left-- > 0) if (!response.write(MEGABYTE)) return;
    response.end();
  };
  response.on('drain', write);
  write();
}
