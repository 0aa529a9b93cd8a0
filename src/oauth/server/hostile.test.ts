import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sendRaw } from '../../http/testing/raw-client.ts';
import { createKit, type Kit } from '../../kit.ts';
import { flow } from './testing/flow.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

const FORM = 'application/x-www-form-urlencoded';

/** Parses the JSON of a refusal, which must not reveal internals. */
async function readRefusal(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  assert.match(response.headers.get('content-type') ?? '', /^application\/(problem\+)?json/, text);
  assert.doesNotMatch(text, /<|oops|node_modules|\.[jt]s:\d+/);
  return JSON.parse(text) as Record<string, unknown>;
}

describe('the token endpoint refuses unreadable bodies with an OAuth error', () => {
  const bodies: Readonly<Record<string, readonly [body: string | Buffer, headers: Record<string, string>, why: RegExp]>> = {
    'a body of 100 KB': [`grant_type=${'x'.repeat(100_000)}`, {}, /larger than 65536 bytes/],
    'an unknown charset': ['grant_type=x', { 'content-type': `${FORM}; charset=bogus` }, /UTF-8/],
    JSON: ['{}', { 'content-type': 'application/json' }, /content type application\/x-www-form-urlencoded/],
    'a content type with the same prefix': ['a=b', { 'content-type': `${FORM}ed` }, /content type/],
    'a compressed body': [gzipSync('grant_type=authorization_code'), { 'content-encoding': 'gzip' }, /compressed/],
    'an empty body': ['', {}, /no client authentication/],
    'too many parameters': [Array.from({ length: 2000 }, (_, i) => `p${i}=1`).join('&'), {}, /cannot be read/],
    'broken escapes': ['grant_type=%E0%A4%A&client_secret=%', {}, /not supported/],
    'names of members of Object.prototype': ['__proto__=1&constructor=2&toString=3', {}, /no client authentication/],
  };
  for (const [title, [body, headers, why]] of Object.entries(bodies)) {
    test(title, async () => {
      const response = await fetch(`${kit.authUrl}/oauth/token`, {
        method: 'POST',
        body,
        headers: { 'content-type': FORM, accept: 'text/html', ...headers },
      });
      assert.ok([400, 401].includes(response.status), String(response.status));
      assert.match(String((await readRefusal(response)).error_description), why);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });
  }

  test('100 KB in chunks, without a Content-Length', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(20_000));
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 5; i++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': FORM } };
    const response = await fetch(`${kit.authUrl}/oauth/token`, init as RequestInit);
    assert.match(String((await readRefusal(response)).error_description), /larger than/);
  });

  test('a client that disconnects during its request does no harm', async () => {
    const head = `POST /auth/oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\n\r\ngrant`;
    await sendRaw({ port: kit.port, bytes: head, fin: true });
    assert.equal((await flow(kit.authUrl).tokens()).expires_in, 3600);
  });
});

describe('other paths under /auth are unknown, including those of the library', () => {
  for (const path of [
    '/',
    '/authorize/',
    '/AUTHORIZE',
    '/token',
    '/oauth/token/introspection',
    '/session/end',
    '/me',
    '/request',
    '/device',
    '/reg',
    '/%2e%2e/authorize',
    '/oauth%2ftoken',
  ]) {
    test(path, async () => {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(`${kit.authUrl}${path}`, { method, redirect: 'manual', headers: { accept: 'text/html' } });
        assert.deepEqual([response.status, (await readRefusal(response)).type], [404, '/problems/http.unknown-route']);
      }
    });
  }
});

test('an unsupported method gets 405 with Allow', async () => {
  for (const [path, method, allow] of [
    ['/authorize', 'POST', 'GET, OPTIONS'],
    ['/authorize/x', 'POST', 'GET, OPTIONS'],
    ['/oauth/token', 'GET', 'POST, OPTIONS'],
    ['/oauth/token', 'PUT', 'POST, OPTIONS'],
    ['/interaction/x', 'DELETE', 'GET, POST, OPTIONS'],
  ] as const) {
    const response = await fetch(`${kit.authUrl}${path}`, { method });
    assert.deepEqual([response.status, response.headers.get('allow')], [405, allow]);
    await readRefusal(response);
  }
});

test('an unknown authorization request is refused, whatever its id', async () => {
  for (const uid of ['x', '%00', '%E0%A4%A', '..', "'", '%3Cscript%3E', 'x'.repeat(3000)]) {
    for (const path of ['authorize', 'interaction']) {
      const response = await fetch(`${kit.authUrl}/${path}/${uid}`, { headers: { cookie: `xpk_interaction=${uid}; xpk_resume=${uid}` } });
      assert.ok(response.status >= 400 && response.status < 500, `${path}/${uid}: ${response.status}`);
      assert.doesNotMatch(await response.text(), /<script|node_modules|oops/);
    }
  }
});

test('undocumented parameters of an authorization request are ignored', async () => {
  const client = flow(kit.authUrl);
  const others = {
    response_mode: 'form_post',
    prompt: 'none',
    nonce: 'n',
    max_age: '0',
    request: 'x',
    request_uri: 'https://evil.example',
    registration: '{}',
    resource: 'https://other.example',
    claims: '{',
    dpop_jkt: 'x',
    id_token_hint: 'x',
    constructor: 'x',
  };
  assert.equal((await client.exchange(await client.code(others))).status, 200);
});

test('a failure of the server refers to the log, as an OAuth error or as a problem', async () => {
  for (const set of [{}, { 'oauth.error-body': 'problem' }] as const) {
    const broken = await createKit({ port: 0, set, logLevel: 'silent' });
    try {
      const client = flow(broken.authUrl);
      await broken.store.db.schema.dropTable('oauth_artifacts').execute();
      const authorize = await client.authorize();
      const { status, body } = await client.exchange('x');
      for (const refusal of [
        { status: authorize.status, body: JSON.parse(authorize.body) },
        { status, body },
      ]) {
        assert.equal(refusal.status, 500);
        assert.match(String(refusal.body.error_description ?? refusal.body.detail), /log of the kit/);
      }
    } finally {
      await broken.close();
    }
  }
});
