import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createSender } from './send.ts';

const FLOODS = 100;
/** Each response fills a chunk of 64 KiB. If chunks waited for the garbage collector, all of them would remain. */
const MAX_REMAINING = (FLOODS * 65_536) / 4;

test('the memory of endless responses is released at once', async (t) => {
  const flood = Buffer.alloc(1024 * 1024, 'x');
  const server = createServer((_, res) => res.end(flood)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = createSender({ mode: 'local', timeoutMs: 15_000 });
  t.after(async () => {
    await sender.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await sender.send(url, {}, '{}');
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < FLOODS; n++) {
    const { durationMs: _, ...result } = await sender.send(url, {}, '{}');
    assert.deepEqual(result, { status: 200, bodyTruncated: true });
  }
  const left = process.memoryUsage().arrayBuffers - before;
  assert.ok(left < MAX_REMAINING, `${left} bytes remain`);
});
