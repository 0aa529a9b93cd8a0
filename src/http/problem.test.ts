import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { gateFailure } from '../contract/failure.ts';
import { gates } from '../contract/generated/gates.ts';
import { instanceOf, problemOf, problemText, sendProblem } from './problem.ts';
import { sendRaw } from './testing/raw-client.ts';
import { assignTrace } from './trace.ts';

const TRACE = 'a'.repeat(32);
const problem = { id: 'users.get.unknown', status: 404, title: 'No such user', detail: 'There is none – é.' };

async function answered(listener: RequestListener, method = 'GET') {
  const server = createServer((req, res) => {
    assignTrace(req, () => TRACE);
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const exchange = await sendRaw({ port, bytes: `${method} /users/1?a=b HTTP/1.1\r\nHost: x\r\n\r\n`, head: method === 'HEAD' });
  server.closeAllConnections();
  server.close();
  return exchange;
}

test('a problem has exactly a type, title, status, detail, instance and trace id', async () => {
  const { responses } = await answered((_req, res) => sendProblem(res, problem));
  assert.deepEqual(JSON.parse(responses[0]!.body), {
    type: '/problems/users.get.unknown',
    title: 'No such user',
    status: 404,
    detail: 'There is none – é.',
    instance: '/users/1',
    traceId: TRACE,
  });
});

test('a problem has its content type and length and must not be stored', async () => {
  const { responses } = await answered((_req, res) => sendProblem(res, problem, { Allow: 'GET', 'Retry-After': undefined }));
  const { status, headers, body } = responses[0]!;
  assert.equal(status, 404);
  assert.equal(headers['content-type'], 'application/problem+json');
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers.allow, 'GET');
  assert.equal('retry-after' in headers, false);
});

test('errors are pointers and messages', async () => {
  const errors = [{ pointer: '/state', message: 'must be ACTIVE or INACTIVE' }];
  const { responses } = await answered((_req, res) => sendProblem(res, { ...problem, errors }));
  assert.deepEqual(JSON.parse(responses[0]!.body).errors, errors);
});

test('a problem removes the headers that describe the response it replaces', async () => {
  const { responses } = await answered((_req, res) => {
    res.setHeader('ETag', '"1"').setHeader('Content-Encoding', 'gzip').setHeader('Transfer-Encoding', 'chunked');
    res.setHeader('Access-Control-Allow-Origin', '*');
    sendProblem(res, problem);
  });
  const { headers } = responses[0]!;
  assert.deepEqual([headers.etag, headers['content-encoding'], headers['transfer-encoding']], [undefined, undefined, undefined]);
  assert.equal(headers['access-control-allow-origin'], '*');
});

test('HEAD gets the headers of the problem and no body', async () => {
  const { responses, rest } = await answered((_req, res) => sendProblem(res, problem), 'HEAD');
  assert.equal(responses[0]!.headers['content-type'], 'application/problem+json');
  assert.ok(Number(responses[0]!.headers['content-length']) > 0);
  assert.equal(rest, '');
});

test('a second problem is not sent', async () => {
  const sent: boolean[] = [];
  const { responses, rest } = await answered((_req, res) => {
    sent.push(sendProblem(res, problem), sendProblem(res, { ...problem, status: 400 }));
  });
  assert.deepEqual(sent, [true, false]);
  assert.deepEqual([responses.length, responses[0]!.status, rest], [1, 404, '']);
});

test('a problem as text is a complete response that closes the connection', () => {
  const [head = '', body = ''] = problemText(problem, TRACE, { Allow: '' }).split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  assert.equal(statusLine, 'HTTP/1.1 404 Not Found');
  assert.ok(lines.includes('Content-Type: application/problem+json'));
  assert.ok(lines.includes(`Content-Length: ${Buffer.byteLength(body)}`));
  assert.ok(lines.includes('Connection: close'));
  assert.ok(lines.includes('Allow: '));
  assert.deepEqual(JSON.parse(body), {
    type: '/problems/users.get.unknown',
    title: problem.title,
    status: 404,
    detail: problem.detail,
    traceId: TRACE,
  });
});

test('the problem of a gate has its status, title and, by default, its text', () => {
  const { status, title, text } = gates['http.unknown-route'];
  assert.deepEqual(problemOf(gateFailure('http.unknown-route')), {
    id: 'http.unknown-route',
    status,
    title,
    detail: text,
    errors: undefined,
  });
  assert.equal(problemOf(gateFailure('http.unknown-route', 'More precisely.')).detail, 'More precisely.');
});

for (const [id, { text, title }] of Object.entries(gates)) {
  test(`${id} has a title and a text of one sentence`, () => {
    assert.match(id, /^(http|control)(\.[a-z]+(-[a-z]+)*)+$/);
    assert.match(title, /^[A-Z][^.]+$/);
    assert.match(text, /^[A-Z].*[^.]\.$/);
    assert.equal(text.match(/\. [A-Z]/), null);
  });
}

for (const [target, instance] of [
  ['/users/1?accountId=2', '/users/1'],
  ['/users/%7e', '/users/%7e'],
  ['/users/%ZZ', '/users/%25ZZ'],
  ['/caf\xc3\xa9', '/caf%C3%A9'],
  ['/a b"<>[]^`{|}\\', '/a%20b%22%3C%3E%5B%5D%5E%60%7B%7C%7D%5C'],
  ['//evil.example/a', '/.//evil.example/a'],
  ['http://localhost:1/a?b', '/a'],
  ['http://localhost', '/'],
  ['/a#b', '/a'],
  ['*', '*'],
] as const) {
  test(`the instance of ${JSON.stringify(target)} is ${instance}`, () => {
    assert.equal(instanceOf(target), instance);
  });
}

test('the instance of any path is a URI reference to this server', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      const instance = instanceOf(`/${path}`);
      assert.match(instance, /^(?!\/\/)(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})+$/);
      assert.equal(new URL(instance, 'http://here.example').host, 'here.example');
    }),
  );
});
