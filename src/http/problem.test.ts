import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGateFailure } from '../contract/failure.ts';
import { gates } from '../contract/generated/gates.ts';
import { listen } from '../store/testing/listen.ts';
import { formatProblemResponse, sendProblem, toInstancePath, toProblem } from './problem.ts';
import { sendRaw } from './testing/raw-client.ts';
import { assignTraceId } from './trace.ts';

const TRACE_ID = 'a'.repeat(32);
const problem = { id: 'users.get.unknown', status: 404, title: 'No such user', detail: 'There is none – é.' };

async function fetchRaw(listener: RequestListener, method = 'GET') {
  const server = createServer((req, res) => {
    assignTraceId(req, () => TRACE_ID);
    listener(req, res);
  });
  await using listening = await listen(server);
  const bytes = `${method} /users/1?a=b HTTP/1.1\r\nHost: x\r\n\r\n`;
  return await sendRaw({ port: listening.port, bytes, isHead: method === 'HEAD' });
}

test('a problem response has only the documented members, and the headers Content-Type, Content-Length and Cache-Control: no-store', async () => {
  const errors = [{ pointer: '/state', message: 'must be ACTIVE or INACTIVE' }];
  const { responses } = await fetchRaw((_req, res) => sendProblem(res, { ...problem, errors }, { Allow: 'GET' }));
  const { status, headers, body } = responses[0]!;
  const { id, ...members } = problem;
  assert.deepEqual(JSON.parse(body), { type: `/problems/${id}`, ...members, instance: '/users/1', traceId: TRACE_ID, errors });
  assert.equal(status, 404);
  assert.equal(headers['content-type'], 'application/problem+json');
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers.allow, 'GET');
});

test("a problem response to HEAD has the problem's headers but no body", async () => {
  const { responses, rest } = await fetchRaw((_req, res) => sendProblem(res, problem), 'HEAD');
  assert.equal(responses[0]!.headers['content-type'], 'application/problem+json');
  assert.ok(Number(responses[0]!.headers['content-length']) > 0);
  assert.equal(rest, '');
});

test('sendProblem sends no second problem on the same response', async () => {
  const sent: boolean[] = [];
  const { responses, rest } = await fetchRaw((_req, res) => {
    sent.push(sendProblem(res, problem), sendProblem(res, { ...problem, status: 400 }));
  });
  assert.deepEqual(sent, [true, false]);
  assert.deepEqual([responses.length, responses[0]!.status, rest], [1, 404, '']);
});

test('formatProblemResponse returns a complete HTTP response with Connection: close', () => {
  const [head = '', body = ''] = formatProblemResponse(problem, TRACE_ID, { Allow: '' }).split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  assert.equal(statusLine, 'HTTP/1.1 404 Not Found');
  assert.ok(lines.includes('Content-Type: application/problem+json'));
  assert.ok(lines.includes(`Content-Length: ${Buffer.byteLength(body)}`));
  assert.ok(lines.includes('Connection: close'));
  assert.ok(lines.includes('Allow: '));
  const { id, ...members } = problem;
  assert.deepEqual(JSON.parse(body), { type: `/problems/${id}`, ...members, traceId: TRACE_ID });
});

test('toProblem takes the status and title from the gate, and the detail from the failure or else from the gate', () => {
  const { status, title, text } = gates['http.unknown-route'];
  assert.deepEqual(toProblem(createGateFailure('http.unknown-route')), {
    id: 'http.unknown-route',
    status,
    title,
    detail: text,
    errors: undefined,
  });
  assert.equal(toProblem(createGateFailure('http.unknown-route', 'More precisely.')).detail, 'More precisely.');
});

test('every gate has a title, and a text that ends with a full stop', () => {
  for (const [id, { text, title }] of Object.entries(gates)) {
    assert.match(id, /^(http|control|proxy)(\.[a-z]+(-[a-z]+)*)+$/);
    assert.match(title, /^[A-Z][^.]+$/);
    assert.match(text, /^[A-Z].*[^.]\.$/);
  }
});

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
  test(`the instance for the request target ${JSON.stringify(target)} is ${instance}`, () => {
    assert.equal(toInstancePath(target), instance);
  });
}

test("for every request path, a problem's instance is a URI reference to this server", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const instance = toInstancePath(`/${Buffer.from(bytes).toString('latin1')}`);
      assert.match(instance, /^(?!\/\/)(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})+$/);
      assert.equal(new URL(instance, 'http://here.example').host, 'here.example');
    }),
  );
});
