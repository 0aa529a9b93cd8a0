import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { findGate } from './errors.ts';
import { sendRaw } from './testing/raw-client.ts';
import { startTinyService } from './testing/tiny-service.ts';

const service = await startTinyService({ after });
beforeEach(() => {
  service.logged.length = 0;
});

async function ask(head: string, body = '') {
  const bytes = `${head.replace('\n', ' HTTP/1.1\r\nHost: localhost\r\n').replaceAll(/(?<!\r)\n/g, '\r\n')}\r\n\r\n${body}`;
  const { responses } = await sendRaw({ port: service.port, bytes });
  const { status, body: text } = responses[0]!;
  return { status, problem: JSON.parse(text) as { type: string; detail: string; traceId: string } };
}

const post = (headers: string, body: string) => ask(`POST /echo\nContent-Length: ${Buffer.byteLength(body)}\n${headers}`, body);
const JSON_TYPE = 'Content-Type: application/json';

test('a request with a body that cannot be read is refused, and no error is logged', async () => {
  for (const headers of ['gzip', 'deflate', 'br', 'zstd'].map((coding) => `${JSON_TYPE}\nContent-Encoding: ${coding}`)) {
    const answer = await post(headers, '{"a":1}');
    assert.deepEqual([answer.status, answer.problem.type, service.logged], [400, '/problems/http.malformed-body', []], headers);
  }
});

test('the detail for a refused body lists the supported content codings, or describes the JSON error', async () => {
  assert.match((await post(`${JSON_TYPE}\nContent-Encoding: zebra`, '{}')).problem.detail, /gzip, deflate, br or zstd/);
  assert.match((await post(JSON_TYPE, '{"a":')).problem.detail, /^The body is not valid JSON: ./);
});

test('a request with a path that cannot be decoded gets an http.malformed-path problem', async () => {
  const { status, problem } = await ask('GET /users/%ZZ\nAccept: text/html');
  assert.deepEqual([status, problem.type], [400, '/problems/http.malformed-path']);
});

test('an unexpected error is logged, and the response does not contain its message', async () => {
  const { status, problem } = await ask('GET /broken\nAccept: text/html');
  assert.deepEqual([status, problem.type], [500, '/problems/http.unexpected-error']);
  assert.doesNotMatch(JSON.stringify(problem), /secret/);
  assert.match(String(service.logged[0]), /an internal secret/);
});

test('an error in the middle of a response destroys the connection', async () => {
  const { responses, rest, closed } = await sendRaw({ port: service.port, bytes: 'GET /half HTTP/1.1\r\nHost: localhost\r\n\r\n' });
  assert.deepEqual([responses.length, rest.endsWith('half'), closed], [0, true, true]);
  assert.match(String(service.logged[0]), /broken in the middle/);
});

test('an error that only resembles a body parser error is treated as unexpected', () => {
  assert.equal(findGate(new URIError('URI malformed')), undefined);
  assert.equal(findGate(Object.assign(new Error('teapot'), { status: 400 })), undefined);
  assert.equal(findGate(Object.assign(new Error('odd'), { type: 'constructor' })), undefined);
  assert.equal(findGate('thrown text'), undefined);
});
