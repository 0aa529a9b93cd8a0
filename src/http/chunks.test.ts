import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { sendChunks } from './chunks.ts';

const MEGABYTE = 1_048_576;

async function exchange(respond: (res: ServerResponse) => Promise<void>) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const responded = once(server, 'request').then(([, res]) => respond(res));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return { responded, socket, [Symbol.dispose]: () => void server.close() };
}

test('a chunk is generated only when the client has received the previous chunks', async () => {
  let produced = 0;
  let taken = 0;
  let mostHeld = 0;
  async function* body() {
    for (; produced < 64; produced++) yield 'x'.repeat(MEGABYTE);
  }
  using sent = await exchange((res) => sendChunks(res, body()));
  for await (const bytes of sent.socket) {
    taken += bytes.length;
    mostHeld = Math.max(mostHeld, produced * MEGABYTE - taken);
    await new Promise(setImmediate);
  }
  await sent.responded;
  assert.equal(produced, 64);
  // The operating system also buffers some megabytes.
  assert.ok(mostHeld < 32 * MEGABYTE, `the server holds ${mostHeld / MEGABYTE} MB instead of less than 32 MB`);
});

test('a client that does not read is disconnected, and the generator that produces the body is closed', async () => {
  let produced = 0;
  async function* body() {
    for (; produced < 1000; produced++) yield 'x'.repeat(MEGABYTE);
  }
  using sent = await exchange((res) => sendChunks(res, body(), undefined, 20));
  sent.socket.pause();
  await sent.responded;
  assert.ok(produced < 1000);
  sent.socket.destroy();
});

test('a client that does not read the end of the body is disconnected', async () => {
  using sent = await exchange((res) => {
    /** Ends as soon as the operating system accepts no more bytes. */
    async function* body() {
      for (; res.writableLength === 0; await new Promise(setImmediate)) yield 'x'.repeat(8_000);
    }
    return sendChunks(res, body(), undefined, 200);
  });
  sent.socket.pause();
  await sent.responded;
  sent.socket.destroy();
});

test('an error in the first chunk is thrown before anything is sent, and an error in a later chunk closes the connection', async () => {
  const broken = new Error('broken');
  async function* body(chunks: number): AsyncGenerator<string, void> {
    for (let sent = 0; sent < chunks; sent++) yield '{';
    throw broken;
  }
  using early = await exchange(async (res) => {
    await assert.rejects(sendChunks(res, body(0)), broken);
    assert.equal(res.headersSent, false);
    res.destroy();
  });
  using late = await exchange((res) => assert.rejects(sendChunks(res, body(1)), broken));
  for (const { socket, responded } of [early, late]) {
    const response = await text(socket.on('error', () => {}));
    assert.ok(!response.endsWith('0\r\n\r\n'));
    await responded;
  }
});
