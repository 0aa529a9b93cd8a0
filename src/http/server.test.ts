import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import express from 'express';
import { createHttpServer } from './server.ts';
import { openConnection } from './testing/dial.ts';
import { sendRaw } from './testing/raw-client.ts';
import { startTinyService } from './testing/tiny-service.ts';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

test('a client that expects 100-continue gets 100 Continue and can then send its body', async (t) => {
  const service = await startTinyService(t);
  const headers = { Expect: '100-continue', 'Content-Type': 'application/json', 'Content-Length': 2 };
  const req = request({ port: service.port, host: '127.0.0.1', path: '/echo', method: 'POST', headers });
  req.flushHeaders();
  await once(req, 'continue');
  req.end('{}');
  const [res] = await once(req, 'response');
  assert.equal(res.statusCode, 200);
  res.resume();
});

test('if the Content-Length is too large, the server refuses the request without 100 Continue, before the client sends the body', async (t) => {
  const service = await startTinyService(t, { maxBodyBytes: 10 });
  const { socket, waitForText } = await openConnection(service.port);
  socket.write('POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n');
  assert.match(await waitForText(/\r\n\r\n/), /^HTTP\/1\.1 413 [\s\S]*Connection: close/);
});

test("onRefused is called for every refused request, with the response's trace id", async (t) => {
  const service = await startTinyService(t);
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { responses } = await sendRaw({
    port: service.port,
    bytes: get('/hello', `traceparent: 00-${trace}-00f067aa0ba902b7-01\r\nExpect: x\r\n`),
  });
  assert.equal(JSON.parse(responses[0]!.body).traceId, trace);
  const raw = await sendRaw({ port: service.port, bytes: 'nonsense\r\n\r\n' });
  const { traceId } = JSON.parse(raw.responses[0]!.body);
  assert.deepEqual(service.refused, [
    { traceId: trace, gate: 'http.expectation-failed', method: 'GET', target: '/hello' },
    { traceId, gate: 'http.malformed-request', method: undefined, target: undefined },
  ]);
});

test('if the request target is a full URL, the app gets the path as the URL and the authority as the Host header', async (t) => {
  const service = await startTinyService(t);
  const { responses } = await sendRaw({ port: service.port, bytes: get('http://127.0.0.1:7?a=1') });
  assert.equal(JSON.parse(responses[0]!.body).instance, '/');
  const known = await sendRaw({ port: service.port, bytes: get('http://127.0.0.1:7/hello?a=1') });
  assert.deepEqual(JSON.parse(known.responses[0]!.body), { hello: '/hello?a=1' });
});

test('an HTTP/1.0 request needs no Host header', async (t) => {
  const service = await startTinyService(t);
  const { responses } = await sendRaw({ port: service.port, bytes: 'GET /hello HTTP/1.0\r\n\r\n' });
  assert.equal(responses[0]?.status, 200);
});

test('a response in progress is sent before the next request is refused', async (t) => {
  const service = await startTinyService(t);
  const { socket, waitForText } = await openConnection(service.port);
  socket.write(`${get('/held')}nonsense\r\n\r\n`);
  await service.held;
  socket.write('more nonsense');
  service.release();
  const text = await waitForText(/malformed-request/);
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  await once(socket, 'close');
});

test('the server closes a refused socket even if the client does not close the connection', async (t) => {
  const service = await startTinyService(t, { lingerMs: 20 });
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  const [accepted] = (await once(service.node, 'connection')) as [Socket];
  socket.write('nonsense\r\n\r\n');
  await once(accepted, 'close');
  socket.destroy();
});

for (const bytes of ['nonsense\r\n\r\n', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n']) {
  test(`after ${bytes.split(' ')[0]?.trim()} the server reads the socket to its end, so that no TCP reset destroys the response`, async (t) => {
    const service = await startTinyService(t, { lingerMs: 5_000 });
    const accepted = once(service.node, 'connection') as Promise<[Socket]>;
    const { socket, waitForText } = await openConnection(service.port);
    const [server] = await accepted;
    const ended = once(server, 'end').then(() => 'end');
    const closed = once(server, 'close').then(() => 'close');
    socket.write(bytes);
    await waitForText(/problems/);
    socket.end('more of the same');
    assert.equal(await Promise.race([ended, closed]), 'end');
  });
}

test('a client that closes its sending side after the request still gets the response', async (t) => {
  const service = await startTinyService(t);
  const accepted = once(service.node, 'connection') as Promise<[Socket]>;
  const { socket, waitForText } = await openConnection(service.port);
  const [server] = await accepted;
  socket.end(get('/held'));
  await once(server, 'end');
  service.release();
  assert.match(await waitForText(/released/), / 200 OK/);
});

test("if a request is refused because of a malformed body, the handler's later response is not logged as an error", async (t) => {
  const service = await startTinyService(t);
  const bytes = 'POST /held HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
  const { responses } = await sendRaw({ port: service.port, bytes });
  assert.equal(responses[0]?.status, 400);
  service.release();
  await setImmediate();
  assert.deepEqual(service.logged, []);
});

test('if a request body becomes malformed while the response streams, the connection closes without a second response', async (t) => {
  const service = await startTinyService(t);
  const { socket, waitForText } = await openConnection(service.port);
  socket.write('GET /stream HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  await waitForText(/begun/);
  socket.write('zz\r\n');
  await once(socket, 'close');
  assert.deepEqual((await waitForText(/begun/)).match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200']);
});

test('if a request body stops after the response was sent, no second response is sent', async (t) => {
  const service = await startTinyService(t, { headersTimeoutMs: 40, requestTimeoutMs: 40, checkIntervalMs: 10 });
  const { socket, waitForText } = await openConnection(service.port);
  socket.write('POST /unknown HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{');
  await once(socket, 'close');
  assert.deepEqual((await waitForText(/404/)).match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404']);
});

test('listen rejects if the port is in use', async (t) => {
  const service = await startTinyService(t);
  const second = createHttpServer({ listener: express(), generateTraceId: () => 'a'.repeat(32) });
  await assert.rejects(second.listen(service.port), { code: 'EADDRINUSE' });
  await second.close();
});

test('the server ignores an Upgrade header, and closes the connection after the response', async (t) => {
  const service = await startTinyService(t);
  const { socket, waitForText } = await openConnection(service.port);
  socket.write(get('/hello', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'));
  assert.match(await waitForText(/hello/), / 200 OK[\s\S]*Connection: close/);
  await once(socket, 'close');
});
