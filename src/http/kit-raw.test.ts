import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createKit } from '../kit.ts';
import { createBadRequests } from './testing/bad-input.ts';
import { type RawResponse, sendRaw } from './testing/raw-client.ts';
import { createRawCorpus, type RawCase } from './testing/raw-corpus.ts';

const kit = await createKit({ port: 0 });
const kitWithShortTimeouts = await createKit({ port: 0, timeouts: { headersTimeoutMs: 200, requestTimeoutMs: 300, checkIntervalMs: 20 } });
after(() => Promise.all([kit.close(), kitWithShortTimeouts.close()]));
const { full = '' } = await kit.tokens();

const CORPORA: Readonly<Record<string, readonly RawCase[]>> = {
  'the service': createRawCorpus({ read: '/users', write: '/experience/assignments', headers: `Authorization: Bearer ${full}\r\n` }),
  'the control API': createRawCorpus({ read: '/_control/health', write: '/_control/tokens' }),
  'the kit': createBadRequests(full),
};

for (const [api, corpus] of Object.entries(CORPORA)) {
  describe(`over a raw socket, ${api}`, { concurrency: 8 }, () => {
    for (const { name, bytes, statuses, endsAfterBytes = false, isHead = false, slow } of corpus) {
      test(`responds to ${name}`, async () => {
        const { port } = slow ? kitWithShortTimeouts : kit;
        const { responses, rest } = await sendRaw({ port, bytes, endsAfterBytes, isHead, responses: statuses.length });
        assert.deepEqual([responses.length, rest], [statuses.length, '']);
        for (const [i, response] of responses.entries()) {
          assert.ok(statuses[i]?.includes(response.status), JSON.stringify(response));
          assert.doesNotMatch(response.headers['content-type'] ?? '', /text\/html/);
          if (response.status >= 400 && !isHead) checkProblem(response);
        }
      });
    }
  });
}

// A path with only characters that RFC 3986 allows. Must not start with `//`, because a URI reference with `//` names another host.
const PATH_REFERENCE = /^(?!\/\/)(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;

function checkProblem({ status, headers, body }: RawResponse): void {
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json(;|$)/);
  const problem = JSON.parse(body);
  assert.deepEqual([problem.status, typeof problem.title], [status, 'string']);
  assert.match(problem.traceId, /^[0-9a-f]{32}$/);
  assert.match(problem.instance ?? '', PATH_REFERENCE);
  assert.doesNotMatch(body, /\bat .+:\d+:\d+|node_modules/, 'a stack trace');
}

test('a web page can read the 400 response to a malformed body, but not if the response comes from the control API', async () => {
  for (const [path, allowed] of [
    ['/experience/assignments', '*'],
    ['/auth/oauth/token', '*'],
    ['/_control/tokens', undefined],
  ] as const) {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${full}\r\nContent-Type: application/json\r\n`;
    const { responses } = await sendRaw({ port: kit.port, bytes: `${head}Transfer-Encoding: chunked\r\n\r\nz\r\n`, responses: 1 });
    assert.deepEqual([responses[0]?.status, responses[0]?.headers['access-control-allow-origin']], [400, allowed], path);
  }
});

test('after all invalid requests, Object.prototype is unchanged, and the kit still responds', async () => {
  assert.deepEqual([Reflect.get({}, 'polluted'), Reflect.ownKeys(Object.prototype).includes('polluted')], [undefined, false]);
  const { status } = await fetch(`${kit.url}/_control/health`);
  assert.equal(status, 200);
});
