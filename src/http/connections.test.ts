import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { openConnection } from './testing/dial.ts';
import { startTinyService } from './testing/tiny-service.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test('when the server closes, a response in progress is completed, and then the connection is closed', async (t) => {
  const closing = new AbortController();
  const service = await startTinyService(t, { closing });
  const { socket, waitForText } = await openConnection(service.port);
  socket.write(get('/held'));
  await service.held;
  const closed = service.close();
  assert.equal(closing.signal.aborted, true);
  service.release();
  assert.match(await waitForText(/released/), /Connection: close/);
  await closed;
});

test("when the server closes, a stream's connection stays open until the stream ends, and is then closed", async (t) => {
  const service = await startTinyService(t);
  const { socket, waitForText } = await openConnection(service.port);
  socket.write(get('/stream'));
  await waitForText(/begun/);
  const closed = service.close(60_000);
  service.release();
  assert.match(await waitForText(/ended/), /Connection: keep-alive/);
  await closed;
});

test('closing the server does not wait for idle connections or for connections that never sent a byte', async (t) => {
  const service = await startTinyService(t);
  const accepted = once(service.node, 'connection');
  const silent = await openConnection(service.port);
  await accepted;
  const idle = await openConnection(service.port);
  idle.socket.write(get('/hello'));
  await idle.waitForText(/hello/);
  await service.close(60_000);
  silent.socket.destroy();
});

test('a request that has arrived but was not read when the server closes is answered, also on a new connection', async (t) => {
  const service = await startTinyService(t);
  const post = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
  const [idle, late] = await Promise.all([openConnection(service.port), openConnection(service.port)]);
  for (const { socket, waitForText } of [idle, late]) {
    socket.write(get('/hello'));
    await waitForText(/hello/);
  }
  const opening = openConnection(service.port, `${post}{}`);
  // The connection request is sent in the next tick, so the event loop cannot accept it before the server closes.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  idle.socket.write(`${post}{}`);
  late.socket.write(post);
  const closed = service.close(60_000);
  for (const { waitForText } of [idle, await opening]) assert.match(await waitForText(/"body"/), /HTTP\/1\.1 200 .*Connection: close/s);
  late.socket.write('{}');
  await late.waitForText(/"body"/);
  await closed;
});

test('while the server closes, later requests are refused with 503', async (t) => {
  const service = await startTinyService(t);
  const [held, late, idle] = await Promise.all([1, 2, 3].map(() => openConnection(service.port)));
  held!.socket.write(get('/held'));
  await service.held;
  late!.socket.write(`${get('/hello')}GET /hello HT`);
  await late!.waitForText(/hello/);
  const closed = service.close(60_000);
  await once(idle!.socket, 'close');
  late!.socket.write('TP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(await late!.waitForText(/shutting-down/), /HTTP\/1\.1 503 /);
  service.release();
  await closed;
});

test('closing the server destroys the connections that are open after the grace period, and a second call returns the same promise', async (t) => {
  const service = await startTinyService(t);
  const { socket } = await openConnection(service.port);
  socket.on('error', () => {});
  socket.write(get('/held'));
  await service.held;
  assert.equal(service.close(10), service.close(10));
  await service.close();
});
