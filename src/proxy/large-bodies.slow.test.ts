import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listen } from '../store/testing/listen.ts';

const CHUNK = Buffer.alloc(65_536, 'x');
const GIGABYTE = 16_384 * CHUNK.length;
/** Node frees the memory of parts that have passed only now and then. */
const MAX_GROWTH_BYTES = 160_000_000;

function createBody(bytes: number): Readable {
  let left = bytes / CHUNK.length;
  return new Readable({
    read() {
      this.push(left-- > 0 ? CHUNK : null);
    },
  });
}

async function countBytes(body: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  return bytes;
}

// Counts the request's body, and sends a body of the size in the path.
const target = await listen(
  createServer(async (req, res) => {
    const size = Number(req.url!.slice(1));
    const received = await countBytes(req);
    const coding = req.headers['accept-encoding'];
    res.writeHead(200, { received, ...(coding !== undefined && { 'content-encoding': coding }) });
    await pipeline(createBody(size), res);
  }),
);
let proxy: ChildProcess;
let url: string;
before(async () => {
  proxy = fork(fileURLToPath(new URL('../testing/measured-proxy.ts', import.meta.url)), [target.url]);
  [url] = (await once(proxy, 'message')) as [string];
});
after(async () => {
  proxy.disconnect();
  await target.close();
});

async function readPeakMemory(): Promise<number> {
  proxy.send('memory');
  return ((await once(proxy, 'message')) as [number])[0];
}

async function send(up: number, down: number, headers: Record<string, string>) {
  const sent = request(`${url}/${down}`, { method: 'POST', headers });
  const [[response]] = (await Promise.all([once(sent, 'response'), pipeline(createBody(up), sent)])) as [[IncomingMessage], undefined];
  return { up: Number(response.headers.received), down: await countBytes(response) };
}

for (const [name, up, down, headers] of [
  ['a request body of 1 GiB', GIGABYTE, 0, {}],
  ['a request body of 1 GiB with its length', GIGABYTE, 0, { 'content-length': `${GIGABYTE}` }],
  ['a response body of 1 GiB', 0, GIGABYTE, {}],
  ['a compressed response body of 1 GiB', 0, GIGABYTE, { 'accept-encoding': 'gzip' }],
] as const)
  test(`${name} passes a proxy in constant memory, and the journal keeps only its beginning`, async () => {
    // A first, smaller body loads the code, and fills the heap.
    await send(up / 16, down / 16, 'content-length' in headers ? { 'content-length': `${up / 16}` } : headers);
    const before = await readPeakMemory();
    assert.deepEqual(await send(up, down, headers), { up, down });
    const growth = (await readPeakMemory()) - before;
    assert.ok(growth < MAX_GROWTH_BYTES, `the memory grew by ${growth} bytes`);
    const [entry] = (await (await fetch(`${url}/_control/requests?limit=1`)).json()) as {
      request: { body?: string; bodyBytes?: number };
      response: { body?: string; bodyBytes?: number };
    }[];
    const { request: kept, response: answered } = entry!;
    assert.deepEqual([kept.bodyBytes ?? 0, (kept.body ?? '').length <= 16_384], [up, true]);
    assert.ok((answered.body ?? '').length <= 65_536);
  });
