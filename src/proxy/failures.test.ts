import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { localhostCertificate } from '../../conformance/actors/own-certificate.ts';
import { listen } from '../store/testing/listen.ts';
import { openProxy, startProxy } from '../testing/proxy.ts';

interface Problem {
  readonly type: string;
  readonly detail: string;
  readonly traceId: string;
}

/** Starts a proxy of a target that sends bytes to each client. */
async function startRawTarget(t: TestContext, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  const target = await listen(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    return target.close();
  });
  return { ...(await openProxy(t, { upstream: { api: target.url, timeoutMs: 200 } })), targetUrl: target.url };
}

async function readProblem(url: string): Promise<readonly [status: number, problem: Problem]> {
  const response = await fetch(url);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  return [response.status, (await response.json()) as Problem];
}

test('a target that refuses the connection gets a 502 that names it', async (t) => {
  const target = await listen(createTcpServer());
  await target.close();
  const { url, list } = await openProxy(t, { upstream: { api: target.url } });
  const [status, { type, detail, traceId }] = await readProblem(`${url}/users/x`);
  assert.deepEqual([status, type, detail], [502, '/problems/proxy.unreachable', `${target.url} refused the connection.`]);
  const [entry] = await list();
  assert.deepEqual([entry!.traceId, entry!.operationId, entry!.status, entry!.step], [traceId, 'getUser', 502, undefined]);
  const explained = (await (await fetch(`${url}/_control/explain/${traceId}`)).json()) as { reason: { id: string; kind: string } };
  assert.deepEqual([explained.reason.id, explained.reason.kind], ['proxy.unreachable', 'gate']);
  const page = await fetch(`${url}${type}`);
  assert.equal(((await page.json()) as { id: string }).id, 'proxy.unreachable');
});

test('a target that does not respond in time gets a 504', async (t) => {
  const { url, targetUrl } = await startRawTarget(t, () => {});
  const [status, { type, detail }] = await readProblem(`${url}/x`);
  assert.deepEqual([status, type, detail], [504, '/problems/proxy.timeout', `${targetUrl} did not respond within 200 ms (--timeout).`]);
});

test('a target whose certificate is not valid gets a 502, unless insecure is set', async (t) => {
  const target = await listen(createServer(localhostCertificate, (_, res) => res.end('secure')));
  t.after(target.close);
  const api = target.url.replace('http:', 'https:');
  const [strict, open] = [await openProxy(t, { upstream: { api } }), await openProxy(t, { upstream: { api, insecure: true } })];
  const [status, { detail }] = await readProblem(`${strict.url}/x`);
  assert.equal(status, 502);
  assert.match(
    detail,
    /has no valid TLS certificate \(self-signed certificate.*\); NODE_EXTRA_CA_CERTS=<file> adds your own certificate authority, --insecure/,
  );
  assert.equal(await (await fetch(`${open.url}/x`)).text(), 'secure');
});

const HOSTILE_TARGETS: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes the connection': (socket) => socket.end(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'sends no HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'sends 100,000 headers': (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(100_000)}\r\n`),
  'sends an endless header': (socket) => {
    const send = () => socket.writable && socket.write('a'.repeat(65_536), send);
    socket.write('HTTP/1.1 200 OK\r\nX: ', send);
  },
  'sends a length that is not a number': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'),
  'sends two lengths': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
  'sends a length and chunks': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  'sends a line break within a header': (socket) => socket.end('HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n'),
  'sends a header name with a space': (socket) => socket.end('HTTP/1.1 200 OK\r\nX Y: a\r\n\r\n'),
  'upgrades without having been asked': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  'sends a status below 100': (socket) => socket.end('HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n'),
  'continues twice': (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'),
};

for (const [what, answer] of Object.entries(HOSTILE_TARGETS)) {
  test(`a target that ${what} gets a 502, and the proxy goes on`, async (t) => {
    const { url, targetUrl } = await startRawTarget(t, answer);
    for (const path of ['/x', '/y']) {
      const [status, { type, detail }] = await readProblem(`${url}${path}`);
      assert.deepEqual([status, type, detail.startsWith(`${targetUrl} `)], [502, '/problems/proxy.unreachable', true]);
    }
    assert.equal((await fetch(`${url}/_control/health`)).status, 200);
  });
}

test('a response that is shorter than its length is cut for the client, and so is one that stops', async (t) => {
  for (const ends of [true, false]) {
    const { url } = await startRawTarget(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab');
      if (ends) socket.end();
    });
    await assert.rejects((await fetch(`${url}/x`)).text());
  }
});

test('unusual statuses and reason phrases are passed on', async (t) => {
  for (const [line, status, text] of [
    ['999 Own', 999, 'Own'],
    ['200', 200, ''],
    ['200 \xdcber', 200, ''],
  ] as const) {
    const { port } = await startRawTarget(t, (socket) =>
      socket.end(Buffer.from(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`, 'latin1')),
    );
    const response = await new Promise<IncomingMessage>((resolve, reject) => get({ port, path: '/x' }, resolve).on('error', reject));
    assert.deepEqual([response.statusCode, response.statusMessage], [status, text]);
    response.resume();
  }
});

test('a response that is longer than its length ends where it should', async (t) => {
  const { url } = await startRawTarget(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcdHTTP/1.1 200 OK\r\n\r\n'),
  );
  assert.equal(await (await fetch(`${url}/x`)).text(), 'ab');
});

test('a compressed bomb is passed on, and not recorded', async (t) => {
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  const { url, list } = await startProxy(t, (_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  const response = await fetch(`${url}/x`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal((await response.arrayBuffer()).byteLength, 30_000_000);
  const [entry] = await list();
  assert.equal(entry!.response!.body, '[not recorded: the body is encoded as gzip]');
});

test('a proxy stops while a target has not responded', async (t) => {
  const asked = Promise.withResolvers<void>();
  const { url, proxy } = await startRawTarget(t, () => asked.resolve());
  const response = fetch(`${url}/x`);
  await asked.promise;
  await Promise.all([response.catch(() => {}), proxy.close()]);
});
