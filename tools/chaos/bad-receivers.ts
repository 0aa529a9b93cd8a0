// Receivers that misbehave. They run in a worker thread, so that they do not delay the measured receivers.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { startEndpoint } from './receivers.ts';

/** The maximum megabytes that a kit may read of a huge response body, including socket buffers. */
export const MAX_MB_READ = 32;

const WELL_BEHAVED = 'well-behaved';
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const HUGE_BODY_MB = 400;

const REDIRECT_PATH = '/redirected';

const RECEIVERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  [WELL_BEHAVED]: (response) => response.writeHead(204).end(),
  'no-answer': () => {},
  reset: (response) => response.socket?.resetAndDestroy(),
  redirect: (response) => response.writeHead(307, { location: REDIRECT_PATH }).end(),
  'slow-body'(response) {
    response.writeHead(200, { 'content-length': 3600 });
    const timer = setInterval(() => response.write('x'), 1000);
    response.once('close', () => clearInterval(timer));
  },
  /** The status is 503, so that the kit repeats the delivery. */
  'huge-body'(response) {
    response.writeHead(503, { 'content-length': HUGE_BODY_MB * MEGABYTE.length });
    let left = HUGE_BODY_MB;
    const write = () => {
      while (left-- > 0) if (!response.write(MEGABYTE)) return;
      response.end();
    };
    response.on('drain', write);
    write();
  },
};

interface Observations {
  attempts: number;
  followed: string[];
  /** Descriptions of responses from which a kit read more than `MAX_MB_READ` megabytes. */
  tooMuch: string[];
}

export async function startBadReceivers() {
  const worker = new Worker(new URL(import.meta.url));
  const [{ [WELL_BEHAVED]: wellBehavedUrl = '', ...urls }] = (await once(worker, 'message')) as [Readonly<Record<string, string>>];
  return {
    urls,
    wellBehavedUrl,
    async stop(): Promise<Observations> {
      worker.postMessage('stop');
      const [observations] = (await once(worker, 'message')) as [Observations];
      await worker.terminate();
      return observations;
    },
  };
}

if (!isMainThread) await runReceivers();

async function runReceivers(): Promise<void> {
  const observations: Observations = { attempts: 0, followed: [], tooMuch: [] };
  const urls: Record<string, string> = {};
  for (const [alias, answer] of Object.entries(RECEIVERS)) {
    const { url } = await startEndpoint((_, response, request) => {
      if (alias !== WELL_BEHAVED) observations.attempts += 1;
      if (request.url === REDIRECT_PATH) observations.followed.push(`${alias}: ${request.url}`);
      const { socket } = request;
      const before = socket.bytesWritten;
      response.once('close', () => {
        const mb = (socket.bytesWritten - socket.writableLength - before) / 1e6;
        if (mb > MAX_MB_READ) observations.tooMuch.push(`${mb.toFixed(0)} MB`);
      });
      answer(response);
    });
    urls[alias] = url;
  }
  parentPort!.postMessage(urls);
  parentPort!.once('message', () => parentPort!.postMessage(observations));
}
