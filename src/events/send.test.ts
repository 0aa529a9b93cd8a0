import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { ownCertificate } from '../../conformance/actors/own-certificate.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';

const defaultSender = createSender({ mode: 'local', timeoutMs: 15_000 });
after(() => defaultSender.close());

function senderFor(t: TestContext, options: Partial<SenderOptions>): Sender {
  const sender = createSender({ mode: 'local', timeoutMs: 15_000, ...options });
  t.after(() => sender.close());
  return sender;
}

type Listening = { url: string; port: number; server: Server };

function receiver(t: TestContext, listener: RequestListener): Promise<Listening> {
  return listening(t, createServer(listener));
}

/** Uses a self-signed certificate. */
function tlsReceiver(t: TestContext): Promise<Listening> {
  return listening(
    t,
    createTlsServer(ownCertificate, (_, res) => void res.writeHead(204).end()),
  );
}

async function listening(t: TestContext, server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/events`, port, server };
}

/** A TCP server, for behaviour that node:http does not offer. */
async function socketServer(t: TestContext, onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const post = (sender: Sender, url: string) => sender.send(url, { 'content-type': 'application/json', 'webhook-id': 'a' }, '{"a":"ü"}');

async function errorOf(sender: Sender, url: string): Promise<string> {
  const result = await post(sender, url);
  assert.ok('error' in result, JSON.stringify(result));
  return result.error;
}

async function statusOf(sender: Sender, url: string): Promise<number> {
  const result = await post(sender, url);
  assert.ok('status' in result, JSON.stringify(result));
  return result.status;
}

async function textOf(req: IncomingMessage): Promise<string> {
  return Buffer.concat(await req.toArray()).toString();
}

test('an event is posted with its headers and body, and the result is the status', async (t) => {
  let seen: unknown;
  const { url } = await receiver(t, async (req, res) => {
    seen = [req.method, req.url, req.headers['webhook-id'], req.headers['content-type'], await textOf(req)];
    res.end('thanks');
  });
  const { durationMs, ...result } = await post(defaultSender, `${url}?a=b`);
  assert.deepEqual(result, { status: 200, bodyTruncated: false });
  assert.ok(Number.isInteger(durationMs));
  assert.deepEqual(seen, ['POST', '/events?a=b', 'a', 'application/json', '{"a":"ü"}']);
});

test('an error status is a result, too', async (t) => {
  const { url } = await receiver(t, (_, res) => res.writeHead(404).end());
  assert.equal(await statusOf(defaultSender, url), 404);
});

test('Retry-After is passed on unparsed', async (t) => {
  const { url } = await receiver(t, (_, res) => res.writeHead(503, { 'Retry-After': '120' }).end());
  const { durationMs: _, ...result } = await post(defaultSender, url);
  assert.deepEqual(result, { status: 503, retryAfter: '120', bodyTruncated: false });
});

test('a redirect is not followed', async (t) => {
  let asked = 0;
  const inner = await receiver(t, (_, res) => {
    asked += 1;
    res.end();
  });
  const { url } = await receiver(t, (_, res) => res.writeHead(307, { Location: inner.url }).end());
  assert.equal(await statusOf(defaultSender, url), 307);
  assert.equal(asked, 0);
});

test('a receiver that never responds times out', async (t) => {
  const { url } = await receiver(t, () => {});
  assert.equal(await errorOf(senderFor(t, { timeoutMs: 50 }), url), 'timeout after 50 ms');
});

test('a slowly written body times out, although no single wait is long', async (t) => {
  const { url } = await receiver(t, (_, res) => {
    res.writeHead(200).write('.');
    const drip = setInterval(() => res.write('.'), 10);
    res.on('close', () => clearInterval(drip));
  });
  assert.equal(await errorOf(senderFor(t, { timeoutMs: 100 }), url), 'timeout after 100 ms');
});

test('a timeout closes the socket of the attempt', async (t) => {
  const gone = Promise.withResolvers<void>();
  const { url } = await receiver(t, (req) => void req.socket.on('close', () => gone.resolve()));
  await errorOf(senderFor(t, { timeoutMs: 50 }), url);
  await gone.promise;
});

test('a TLS handshake that never ends times out', async (t) => {
  const port = await socketServer(t, () => {});
  assert.equal(await errorOf(senderFor(t, { timeoutMs: 50 }), `https://127.0.0.1:${port}/`), 'timeout after 50 ms');
});

test('a slow name lookup times out, and nothing is sent afterwards', async (t) => {
  const name = Promise.withResolvers<readonly string[]>();
  let connections = 0;
  const { port, server } = await receiver(t, (_, res) => res.end());
  server.on('connection', () => {
    connections += 1;
  });
  const sender = senderFor(t, {
    timeoutMs: 50,
    resolve: (host) => (host === 'slow.example' ? name.promise : Promise.resolve(['127.0.0.1'])),
  });
  assert.equal(await errorOf(sender, `http://slow.example:${port}/`), 'timeout after 50 ms');
  name.resolve(['127.0.0.1']);
  await statusOf(sender, `http://quick.example:${port}/`);
  assert.equal(connections, 1);
});

test('a connection reset before the response is reported', async (t) => {
  const { url } = await receiver(t, (req) => void req.socket.resetAndDestroy());
  assert.equal(await errorOf(defaultSender, url), 'connection reset by the receiver');
});

test('a connection closed in the middle of the response is reported as a reset', async (t) => {
  const { url } = await receiver(t, (req, res) => {
    res.writeHead(200, { 'Content-Length': '10' }).write('half', () => req.socket.destroy());
  });
  assert.equal(await errorOf(defaultSender, url), 'connection reset by the receiver');
});

test('a refused connection is reported', async (t) => {
  const { url, server } = await receiver(t, () => {});
  server.close();
  await once(server, 'close');
  assert.match(await errorOf(defaultSender, url), /^connection refused/);
});

test('a receiver without TLS at an https URL is reported', async (t) => {
  const { port } = await receiver(t, (_, res) => res.end());
  assert.match(await errorOf(defaultSender, `https://127.0.0.1:${port}/`), /^TLS failed: /);
});

test('a loopback receiver may have any certificate in local mode', async (t) => {
  const { port } = await tlsReceiver(t);
  const result = await defaultSender.send(`https://127.0.0.1:${port}/`, {}, '{}');
  assert.equal('status' in result && result.status, 204);
});

test('a name needs a trusted certificate, even if it resolves to loopback', async (t) => {
  const { port } = await tlsReceiver(t);
  const sender = senderFor(t, { resolve: async () => ['127.0.0.1'] });
  assert.match(await errorOf(sender, `https://receiver.test:${port}/`), /^TLS failed: self-signed certificate/);
});

test('a response that is not HTTP is reported', async (t) => {
  const port = await socketServer(t, (socket) => socket.end('220 mail.example ESMTP\r\n'));
  assert.match(await errorOf(defaultSender, `http://127.0.0.1:${port}/`), /^the response is not HTTP: /);
});

test('a header that cannot be sent is an error, not a rejection', async (t) => {
  const { url } = await receiver(t, (_, res) => res.end());
  assert.ok('error' in (await defaultSender.send(url, { 'webhook-id': 'a\nb' }, '')));
});

test('an endless body is cut off, its socket closed, and its status counts', async (t) => {
  const gone = Promise.withResolvers<void>();
  const { url } = await receiver(t, (_, res) => {
    res.on('close', () => gone.resolve());
    const pour = () => {
      while (!res.destroyed && res.write('x'.repeat(4096)));
    };
    res.on('drain', pour);
    pour();
  });
  const { durationMs: _, ...result } = await post(defaultSender, url);
  assert.deepEqual(result, { status: 200, bodyTruncated: true });
  await gone.promise;
});

for (const [bytes, bodyTruncated] of [
  [16_384, false],
  [16_385, true],
] as const) {
  test(`a body of ${bytes} bytes is ${bodyTruncated ? 'cut off' : 'read to its end'}`, async (t) => {
    const { url } = await receiver(t, (_, res) => res.end('x'.repeat(bytes)));
    const { durationMs: _, ...result } = await post(defaultSender, url);
    assert.deepEqual(result, { status: 200, bodyTruncated });
  });
}

test('two sends one after the other share a socket', async (t) => {
  const ports = new Set<number | undefined>();
  const { url } = await receiver(t, (req, res) => {
    ports.add(req.socket.remotePort);
    res.end('ok');
  });
  await post(defaultSender, url);
  await post(defaultSender, url);
  assert.equal(ports.size, 1);
});

test('strict mode refuses loopback before anything is sent', async (t) => {
  let connections = 0;
  const { url, server } = await receiver(t, (_, res) => res.end());
  server.on('connection', () => {
    connections += 1;
  });
  assert.match(await errorOf(senderFor(t, { mode: 'strict' }), url), /^refused destination: .*strict mode/);
  assert.equal(connections, 0);
});

test('only the checked addresses are connected to, whatever the system resolver returns', async (t) => {
  const { port } = await receiver(t, (req, res) => res.end(req.headers.host));
  const sender = senderFor(t, { resolve: async () => ['127.0.0.1'] });
  assert.equal(await statusOf(sender, `http://pinned.invalid:${port}/`), 200);
});

test('a name is checked again for every attempt, even if a socket is still open', async (t) => {
  const { port } = await receiver(t, (_, res) => res.end());
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const sender = senderFor(t, { resolve: async () => answers.shift() ?? [] });
  const url = `http://rebinding.example:${port}/`;
  assert.equal(await statusOf(sender, url), 200);
  assert.match(await errorOf(sender, url), /^refused destination: rebinding\.example resolves to 169\.254\.169\.254/);
});

test('concurrent attempts to one name all arrive', async (t) => {
  const { port } = await receiver(t, (_, res) => res.end());
  const sender = senderFor(t, { resolve: async () => ['::1', '127.0.0.1'] });
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(sender, `http://many.example:${port}/`)));
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test('closing aborts requests in flight, and later sends fail', async (t) => {
  const reached = Promise.withResolvers<void>();
  const { url } = await receiver(t, () => reached.resolve());
  const sender = senderFor(t, {});
  const cutOff = errorOf(sender, url);
  await reached.promise;
  await sender.close();
  assert.equal(await cutOff, 'the sender is closed');
  assert.equal(await errorOf(sender, url), 'the sender is closed');
});
