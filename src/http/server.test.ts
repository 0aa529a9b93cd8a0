import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createHttpServer } from './server.ts';
import { sendRaw } from './testing/raw-client.ts';
import { startTinyService } from './testing/tiny-service.ts';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

/** A socket whose received text can be awaited. */
async function dial(port: number): Promise<{ socket: Socket; until(pattern: RegExp): Promise<string> }> {
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
  let text = '';
  socket.on('data', (more: string) => {
    text += more;
  });
  await once(socket, 'connect');
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(socket, 'data');
    return text;
  };
  return { socket, until };
}

test('a body announced with 100-continue is asked for, then read', async (t) => {
  const service = await startTinyService();
  t.after(() => service.close(0));
  const headers = { Expect: '100-continue', 'Content-Type': 'application/json', 'Content-Length': 2 };
  const req = request({ port: service.port, host: '127.0.0.1', path: '/echo', method: 'POST', headers });
  req.flushHeaders();
  await once(req, 'continue');
  req.end('{}');
  const [res] = await once(req, 'response');
  assert.equal(res.statusCode, 200);
  res.resume();
});

test('a body announced as too large is refused before it is sent, without 100 Continue', async (t) => {
  const service = await startTinyService({ maxBodyBytes: 10 });
  t.after(() => service.close(0));
  const { until } = await dial(service.port).then((line) => {
    line.socket.write('POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n');
    return line;
  });
  assert.match(await until(/\r\n\r\n/), /^HTTP\/1\.1 413 /);
});

test('what is refused is told, with the trace id of the answer', async (t) => {
  const service = await startTinyService();
  t.after(() => service.close(0));
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { responses } = await sendRaw({
    port: service.port,
    bytes: get('/hello', `traceparent: 00-${trace}-00f067aa0ba902b7-01\r\nExpect: x\r\n`),
  });
  assert.equal(JSON.parse(responses[0]!.body).traceId, trace);
  const raw = await sendRaw({ port: service.port, bytes: 'nonsense\r\n\r\n' });
  const { traceId } = JSON.parse(raw.responses[0]!.body);
  assert.deepEqual(service.refused, [
    { traceId: trace, problem: 'http.expectation-failed', method: 'GET', target: '/hello' },
    { traceId, problem: 'http.malformed-request', method: undefined, target: undefined },
  ]);
});

test('the app sees an absolute target as a path, and its authority as the Host', async (t) => {
  const service = await startTinyService();
  t.after(() => service.close(0));
  const { responses } = await sendRaw({ port: service.port, bytes: get('http://127.0.0.1:7?a=1') });
  assert.equal(JSON.parse(responses[0]!.body).instance, '/');
  const known = await sendRaw({ port: service.port, bytes: get('http://127.0.0.1:7/hello?a=1') });
  assert.deepEqual(JSON.parse(known.responses[0]!.body), { hello: '/hello?a=1' });
});

test('HTTP/1.0 needs no Host', async (t) => {
  const service = await startTinyService();
  t.after(() => service.close(0));
  const { responses } = await sendRaw({ port: service.port, bytes: 'GET /hello HTTP/1.0\r\n\r\n' });
  assert.equal(responses[0]?.status, 200);
});

test('an answer under way is sent before the refusal of what follows it', async (t) => {
  const service = await startTinyService();
  t.after(() => service.close(0));
  const { socket, until } = await dial(service.port);
  socket.write(`${get('/held')}nonsense\r\n\r\n`);
  await service.held;
  socket.write('more nonsense');
  service.release();
  const text = await until(/malformed-request/);
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  await once(socket, 'close');
});

test('a refused socket is let go although its client never ends it', async (t) => {
  const service = await startTinyService({ lingerMs: 20 });
  t.after(() => service.close(0));
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  const [accepted] = (await once(service.node, 'connection')) as [Socket];
  socket.write('nonsense\r\n\r\n');
  await once(accepted, 'close');
  socket.destroy();
});

test('a body that stops after the answer was sent gets no second answer', async (t) => {
  const service = await startTinyService({ headersTimeoutMs: 40, requestTimeoutMs: 40, checkIntervalMs: 10 });
  t.after(() => service.close(0));
  const { socket, until } = await dial(service.port);
  socket.write('POST /unknown HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{');
  await once(socket, 'close');
  assert.deepEqual((await until(/404/)).match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404']);
});

test('closing lets an answer under way finish and ends its connection', async () => {
  const service = await startTinyService();
  const { socket, until } = await dial(service.port);
  socket.write(get('/held'));
  await service.held;
  const closed = service.close();
  assert.equal(service.closing.aborted, true);
  service.release();
  assert.match(await until(/released/), /Connection: close/);
  await closed;
});

test('closing does not wait for a connection that never sent a byte, nor for an idle one', async () => {
  const service = await startTinyService();
  const accepted = once(service.node, 'connection');
  const silent = await dial(service.port);
  await accepted;
  const idle = await dial(service.port);
  idle.socket.write(get('/hello'));
  await idle.until(/hello/);
  await service.close(60_000);
  silent.socket.destroy();
});

test('a request that arrives while the server closes is told so', async () => {
  const service = await startTinyService();
  const { socket, until } = await dial(service.port);
  socket.write(`${get('/hello')}GET /hello HT`);
  await until(/hello/);
  const closed = service.close(60_000);
  socket.write('TP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(await until(/shutting-down/), /HTTP\/1\.1 503 /);
  await closed;
});

test('closing cuts off what does not end within the grace, and may be asked for twice', async () => {
  const service = await startTinyService();
  const { socket } = await dial(service.port);
  socket.on('error', () => {});
  socket.write(get('/held'));
  await service.held;
  assert.equal(service.close(10), service.close(10));
  await service.close();
});

test('a port in use is an error of listen', async (t) => {
  const service = await startTinyService();
  t.after(() => service.close(0));
  const second = createHttpServer({ listener: () => {}, traceSource: () => 'a'.repeat(32) });
  await assert.rejects(second.listen(service.port), { code: 'EADDRINUSE' });
  await second.close();
});
