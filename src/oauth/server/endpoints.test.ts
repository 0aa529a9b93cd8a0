import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { callControl } from '../../control/testing/call.ts';
import { sendRaw } from '../../http/testing/raw-client.ts';
import { createKit, type Kit } from '../../kit.ts';
import { createFlow } from '../../testing/oauth-flow.ts';
import { deriveSigningKey } from '../keys.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

type Metadata = Readonly<Record<string, unknown>>;
const read = async (url: string): Promise<Metadata> => (await (await fetch(url)).json()) as Metadata;
const METADATA_PATHS = '/auth/.well-known/oauth-authorization-server';

test('the metadata is the same at all of its locations, and its issuer contains the address to which the client sent the request', async () => {
  for (const base of [kit.url, `http://localhost:${kit.port}`]) {
    const { issuer, token_endpoint: token, authorization_endpoint: authorize, ...others } = await read(base + METADATA_PATHS);
    assert.deepEqual([issuer, token, authorize], [`${base}/auth`, `${base}/auth/oauth/token`, `${base}/auth/authorize`]);
    for (const path of ['/.well-known/oauth-authorization-server/auth', '/auth/.well-known/openid-configuration'])
      assert.deepEqual(await read(base + path), { issuer, token_endpoint: token, authorization_endpoint: authorize, ...others });
  }
});

test("the public URL takes precedence over a request's Host header", async () => {
  const proxied = await createKit({ port: 0, publicUrl: 'https://kit.test/xpk' });
  try {
    const { issuer, jwks_uri: jwks } = await read(`http://127.0.0.1:${proxied.port}${METADATA_PATHS}`);
    assert.deepEqual([issuer, jwks], ['https://kit.test/xpk/auth', 'https://kit.test/xpk/auth/jwks']);
    assert.equal(proxied.authUrl, issuer);
    const { location } = await createFlow(`http://127.0.0.1:${proxied.port}/auth`).authorize();
    assert.equal(location?.searchParams.get('iss'), issuer);
  } finally {
    await proxied.close();
  }
});

test('for an HTTP/1.0 request without a Host header, the metadata contains the address on which the kit listens', async () => {
  const { responses } = await sendRaw({ port: kit.port, bytes: `GET ${METADATA_PATHS} HTTP/1.0\r\n\r\n` });
  assert.equal(JSON.parse(responses[0]?.body ?? '{}').issuer, kit.authUrl);
});

test('the metadata depends on the decisions', async () => {
  const set = { 'oauth.refresh': 'none', 'oauth.other-grants': 'client-credentials', 'oauth.client-basic': 'accepted' } as const;
  const other = await createKit({ port: 0, set });
  const metadata = await read(other.url + METADATA_PATHS).finally(() => other.close());
  assert.deepEqual(metadata.grant_types_supported, ['authorization_code', 'client_credentials']);
  assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ['client_secret_post', 'private_key_jwt', 'client_secret_basic']);
});

test("the key set contains the current world's key, even after another world is loaded", async () => {
  const other = await createKit({ port: 0 });
  try {
    assert.deepEqual(await read(`${other.authUrl}/jwks`), { keys: [deriveSigningKey('demo').publicJwk] });
    assert.equal((await callControl(other.url, 'PUT', '/state', { world: 'other' })).status, 200);
    assert.deepEqual(await read(`${other.authUrl}/jwks`), { keys: [deriveSigningKey('other').publicJwk] });
  } finally {
    await other.close();
  }
});

test('pages of any origin can read the metadata and the keys, but not the login page', async () => {
  for (const [path, allowed] of [
    ['/jwks', '*'],
    ['/.well-known/oauth-authorization-server', '*'],
    ['/authorize', null],
  ] as const) {
    const { headers } = await fetch(kit.authUrl + path, { headers: { origin: 'https://page.example' }, redirect: 'manual' });
    assert.equal(headers.get('access-control-allow-origin'), allowed, path);
  }
});

/** Fails if the refusal contains internal details. */
async function readRefusal(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  assert.match(response.headers.get('content-type') ?? '', /^application\/(problem\+)?json/, text);
  assert.doesNotMatch(text, /<|oops|node_modules|\.[jt]s:\d+/);
  return JSON.parse(text) as Record<string, unknown>;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
const UNREADABLE_BODIES: readonly (readonly [title: string, body: string | Buffer, headers: Record<string, string>, why: RegExp])[] = [
  ['100 KB', `grant_type=${'x'.repeat(100_000)}`, {}, /larger than 65536 bytes/],
  ['another charset', 'grant_type=x', { 'content-type': `${FORM_TYPE};charset="utf-16le"` }, /UTF-8/],
  ['ISO-8859-1', 'grant_type=x', { 'content-type': `${FORM_TYPE};charset=iso-8859-1` }, /UTF-8/],
  ['bytes that are not UTF-8', Buffer.from([...Buffer.from('client_secret=x&x='), 0xff]), {}, /UTF-8/],
  ['JSON', '{}', { 'content-type': 'application/json' }, /content type application\/x-www-form-urlencoded/],
  ['a compressed body', gzipSync('grant_type=authorization_code'), { 'content-encoding': 'gzip' }, /compressed/],
  ['an empty body', '', {}, /no client authentication/],
  ['too many parameters', 'p=1&'.repeat(2000), {}, /more than 1000 parameters/],
  ['parameters named like members of Object.prototype', '__proto__=1&constructor=2&toString=3', {}, /no client authentication/],
];
for (const [title, body, headers, why] of UNREADABLE_BODIES) {
  test(`the token endpoint refuses an unreadable body with an OAuth error: ${title}`, async () => {
    const response = await fetch(`${kit.authUrl}/oauth/token`, {
      method: 'POST',
      body,
      headers: { 'content-type': FORM_TYPE, accept: 'text/html', ...headers },
    });
    assert.ok([400, 401].includes(response.status), String(response.status));
    assert.match(String((await readRefusal(response)).error_description), why);
  });
}

for (const path of ['/auth/oauth/token', '/auth/interaction/x']) {
  test(`a POST to ${path} with a body that ends too early is refused at once, and the server handles later requests`, async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: 100\r\n\r\ngrant`;
    const { responses, closed } = await sendRaw({ port: kit.port, bytes: head, endsAfterBytes: true });
    assert.deepEqual([responses.map(({ status }) => status), closed], [[400], true]);
    assert.equal((await createFlow(kit.authUrl).obtainTokens()).expires_in, 3600);
  });
}

test('undocumented paths under /auth get 404, even if the library has routes for these paths', async () => {
  const spellings = ['/', '/authorize/', '/AUTHORIZE', '/%2e%2e/authorize', '/oauth%2ftoken'];
  for (const path of [...spellings, '/token', '/oauth/token/introspection', '/session/end', '/me', '/request', '/device', '/reg']) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${kit.authUrl}${path}`, { method, redirect: 'manual', headers: { accept: 'text/html' } });
      assert.deepEqual([response.status, (await readRefusal(response)).type], [404, '/problems/http.unknown-route'], path);
    }
  }
});

test('an unsupported method gets 405, and Allow lists the supported methods', async () => {
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

test('a path with an unknown authorization request id is refused, even if the id has unusual characters', async () => {
  for (const uid of ['x', '%00', '%E0%A4%A', '..', "'", '%3Cscript%3E', 'x'.repeat(3000)]) {
    for (const path of ['authorize', 'interaction']) {
      const response = await fetch(`${kit.authUrl}/${path}/${uid}`, { headers: { cookie: `xpk_interaction=${uid}; xpk_resume=${uid}` } });
      assert.ok(response.status >= 400 && response.status < 500, `${path}/${uid}: ${response.status}`);
      assert.doesNotMatch(await response.text(), /<script|node_modules|oops/);
    }
  }
});

test('undocumented parameters in an authorization request are ignored', async () => {
  const client = createFlow(kit.authUrl);
  const openid = { response_mode: 'form_post', prompt: 'none', nonce: 'n', max_age: '0', claims: '{', id_token_hint: 'x' };
  const others = {
    request: 'x',
    request_uri: 'https://evil.example',
    registration: '{}',
    resource: 'https://other.example',
    constructor: 'x',
  };
  assert.equal((await client.exchange(await client.obtainAuthorizationCode({ ...openid, ...others }))).status, 200);
});

test('the response to an unexpected failure is an OAuth error or a problem, and refers to the log', async () => {
  for (const set of [{}, { 'oauth.error-body': 'problem' }] as const) {
    const broken = await createKit({ port: 0, set, logLevel: 'silent' });
    try {
      const client = createFlow(broken.authUrl);
      await broken.store.db.schema.dropTable('oauth_artifacts').execute();
      const authorize = await client.authorize();
      const { status, body } = await client.exchange('x');
      for (const refusal of [
        { status: authorize.status, body: JSON.parse(authorize.body) },
        { status, body },
      ]) {
        assert.equal(refusal.status, 500);
        assert.match(String(refusal.body.error_description ?? refusal.body.detail), /kit's log/);
      }
    } finally {
      await broken.close();
    }
  }
});
