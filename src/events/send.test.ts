import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { localhostCertificate } from '../../conformance/actors/own-certificate.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';

const defaultSender = createSender({ mode: 'local', timeoutMs: 15_000 });
after(() => defaultSender.close());

function createTestSender(t: TestContext, options: Partial<SenderOptions>): Sender {
  const sender = createSender({ mode: 'local', timeoutMs: 15_000, ...options });
  t.after(() => sender.close());
  return sender;
}

async function listen(t: TestContext, server: Server) {
  const ports = new Set<number | undefined>();
  server.listen(0, '127.0.0.1').on('connection', (socket) => {
    ports.add(socket.remotePort);
    socket.on('error', () => {});
  });
  await once(server, 'listening');
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/events`, port, server, ports };
}

const startServer = (t: TestContext, listener: RequestListener) => listen(t, createServer(listener));
const createLocalhostServer = () => createTlsServer(localhostCertificate, (_, res) => void res.writeHead(204).end());

const post = (sender: Sender, url: string) => sender.send(url, { 'content-type': 'application/json', 'webhook-id': 'a' }, '{"a":"ü"}');

const getSendError = async (sender: Sender, url: string) => {
  const result = await post(sender, url);
  return 'error' in result ? result.error : assert.fail(JSON.stringify(result));
};

const getSendStatus = async (sender: Sender, url: string) => {
  const result = await post(sender, url);
  return 'status' in result ? result.status : assert.fail(result.error);
};

test('an event is sent as a POST request with its headers and body, and the result contains the status', async (t) => {
  let seen: unknown;
  const { url } = await startServer(t, async (req, res) => {
    seen = [req.method, req.url, req.headers['webhook-id'], req.headers['content-type'], Buffer.concat(await req.toArray()).toString()];
    res.end('thanks');
  });
  const { durationMs, ...result } = await post(defaultSender, `${url}?a=b`);
  assert.deepEqual(result, { status: 200 });
  assert.ok(Number.isInteger(durationMs));
  assert.deepEqual(seen, ['POST', '/events?a=b', 'a', 'application/json', '{"a":"ü"}']);
});

test('an error status is returned together with the unparsed Retry-After header', async (t) => {
  const { url } = await startServer(t, (_, res) => res.writeHead(503, { 'Retry-After': '120' }).end());
  const { durationMs: _, ...result } = await post(defaultSender, url);
  assert.deepEqual(result, { status: 503, retryAfter: '120' });
});

test('a redirect is not followed', async (t) => {
  const redirectTarget = await startServer(t, (_, res) => res.end());
  const { url } = await startServer(t, (_, res) => res.writeHead(307, { Location: redirectTarget.url }).end());
  assert.equal(await getSendStatus(defaultSender, url), 307);
  assert.equal(redirectTarget.ports.size, 0);
});

const TIMEOUT = 'timeout after 100 ms';
const RESET = 'connection reset by the receiver';

const FAILURES: readonly (readonly [string, () => Server, 'http' | 'https', string])[] = [
  ['a receiver that never responds', () => createServer(() => {}), 'http', TIMEOUT],
  [
    'a slow response body without a long pause',
    () =>
      createServer((_, res) => {
        const timer = setInterval(() => res.write('.'), 10);
        res.on('close', () => clearInterval(timer));
      }),
    'http',
    TIMEOUT,
  ],
  ['a TLS handshake that never ends', () => createTcpServer(() => {}), 'https', TIMEOUT],
  ['a connection reset before the response', () => createServer((req) => void req.socket.resetAndDestroy()), 'http', RESET],
  [
    'a connection closed in the middle of the response',
    () => createServer((req, res) => void res.writeHead(200, { 'Content-Length': '10' }).write('half', () => req.socket.destroy())),
    'http',
    RESET,
  ],
  ['a receiver that has an https URL but no TLS', () => createServer((_, res) => res.end()), 'https', 'TLS failed: '],
  [
    'a response that is not HTTP',
    () => createTcpServer((socket) => socket.end('220 mail.example\r\n')),
    'http',
    'the response is not HTTP: ',
  ],
];

for (const [title, server, scheme, error] of FAILURES) {
  test(`${title} is reported as "${error.trim()}", and the socket is closed`, async (t) => {
    const { port, server: listens } = await listen(t, server());
    const closed = new Promise((resolve) => listens.once('connection', (socket) => socket.on('close', resolve).resume()));
    const sender = createTestSender(t, { timeoutMs: error === TIMEOUT ? 100 : 15_000 });
    const actual = await getSendError(sender, `${scheme}://127.0.0.1:${port}/`);
    assert.equal(actual.slice(0, error.length), error);
    await closed;
  });
}

test('a refused connection is reported', async (t) => {
  const { url, server } = await startServer(t, () => {});
  server.close();
  await once(server, 'close');
  assert.match(await getSendError(defaultSender, url), /^connection refused/);
});

test('a slow name lookup times out, and nothing is sent afterwards', async (t) => {
  const name = Promise.withResolvers<readonly string[]>();
  const { port, ports } = await startServer(t, (_, res) => res.end());
  const resolve = async (host: string) => (host === 'slow.example' ? name.promise : ['127.0.0.1']);
  const sender = createTestSender(t, { timeoutMs: 50, resolve });
  assert.equal(await getSendError(sender, `http://slow.example:${port}/`), 'timeout after 50 ms');
  name.resolve(['127.0.0.1']);
  await getSendStatus(sender, `http://quick.example:${port}/`);
  assert.equal(ports.size, 1);
});

test('in local mode, a loopback address may have any certificate, but a host name that resolves to loopback needs a valid certificate', async (t) => {
  const { port } = await listen(t, createLocalhostServer());
  const sender = createTestSender(t, { resolve: async () => ['127.0.0.1'] });
  assert.equal(await getSendStatus(sender, `https://127.0.0.1:${port}/`), 204);
  assert.match(await getSendError(sender, `https://receiver.test:${port}/`), /^TLS failed: self-signed certificate/);
});

test('an invalid header results in a reported error, not in a rejected promise', async (t) => {
  const { url } = await startServer(t, (_, res) => res.end());
  assert.ok('error' in (await defaultSender.send(url, { 'webhook-id': 'a\nb' }, '')));
});

test('an endless response body is not an acknowledgement, and the sender stops reading it and closes the socket', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { url } = await startServer(t, (_, res) => {
    res.on('close', () => closed.resolve());
    const writeUntilFull = () => {
      while (!res.destroyed && res.write('x'.repeat(4096)));
    };
    res.on('drain', writeUntilFull);
    writeUntilFull();
  });
  assert.equal(await getSendError(defaultSender, url), 'the response body is larger than 1 MB');
  await closed.promise;
});

test('a long response body with an end acknowledges the delivery', async (t) => {
  const { url } = await startServer(t, (_, res) => res.end('x'.repeat(500_000)));
  assert.equal(await getSendStatus(defaultSender, url), 200);
});

test('two consecutive events to the same receiver use the same socket', async (t) => {
  const { url, ports } = await startServer(t, (_, res) => res.end('ok'));
  await post(defaultSender, url);
  await post(defaultSender, url);
  assert.equal(ports.size, 1);
});

test('strict mode refuses loopback before anything is sent', async (t) => {
  const { url, ports } = await startServer(t, (_, res) => res.end());
  assert.match(await getSendError(createTestSender(t, { mode: 'strict' }), url), /^refused destination: .*strict mode/);
  assert.equal(ports.size, 0);
});

test('concurrent attempts connect only to the checked addresses, whatever the system resolver returns', async (t) => {
  const { port } = await startServer(t, (_, res) => res.end());
  const sender = createTestSender(t, { resolve: async () => ['::1', '127.0.0.1'] });
  const statuses = await Promise.all(Array.from({ length: 20 }, () => getSendStatus(sender, `http://pinned.invalid:${port}/`)));
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test('a host name is checked again for every attempt, even if a socket to the host is open', async (t) => {
  const { port } = await startServer(t, (_, res) => res.end());
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const sender = createTestSender(t, { resolve: async () => answers.shift() ?? [] });
  const url = `http://rebinding.example:${port}/`;
  assert.equal(await getSendStatus(sender, url), 200);
  assert.match(await getSendError(sender, url), /^refused destination: rebinding\.example resolves to 169\.254\.169\.254/);
});

test('closing aborts requests in flight, and later sends fail', async (t) => {
  const reached = Promise.withResolvers<void>();
  const { url } = await startServer(t, () => reached.resolve());
  const sender = createTestSender(t, {});
  const interrupted = getSendError(sender, url);
  await reached.promise;
  await sender.close();
  assert.equal(await interrupted, 'the sender is closed');
  assert.equal(await getSendError(sender, url), 'the sender is closed');
});
