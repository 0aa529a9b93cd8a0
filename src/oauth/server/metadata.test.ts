import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sendRaw } from '../../http/testing/raw-client.ts';
import { createKit, type Kit } from '../../kit.ts';
import { worldSigningKey } from '../keys.ts';
import { flow } from './testing/flow.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

type Metadata = Readonly<Record<string, unknown>>;
const read = async (url: string): Promise<Metadata> => (await (await fetch(url)).json()) as Metadata;
const LOCATIONS = [
  '/.well-known/oauth-authorization-server/auth',
  '/auth/.well-known/oauth-authorization-server',
  '/auth/.well-known/openid-configuration',
];

test('the metadata is the same at every location, and its issuer is the address that the client uses', async () => {
  for (const base of [kit.url, `http://localhost:${kit.port}`]) {
    const [first, ...others] = await Promise.all(LOCATIONS.map((path) => read(base + path)));
    for (const other of others) assert.deepEqual(other, first);
    assert.equal(first?.issuer, `${base}/auth`);
    assert.equal(first?.token_endpoint, `${base}/auth/oauth/token`);
    assert.equal(first?.authorization_endpoint, `${base}/auth/authorize`);
  }
});

test('the public URL takes precedence over the Host of the request', async () => {
  const proxied = await createKit({ port: 0, publicUrl: 'https://kit.test/xpk' });
  try {
    const { issuer, jwks_uri: jwks } = await read(`http://127.0.0.1:${proxied.port}/auth/.well-known/oauth-authorization-server`);
    assert.deepEqual([issuer, jwks], ['https://kit.test/xpk/auth', 'https://kit.test/xpk/auth/jwks']);
    assert.equal(proxied.authUrl, issuer);
    const { location } = await flow(`http://127.0.0.1:${proxied.port}/auth`).authorize();
    assert.equal(location?.searchParams.get('iss'), issuer);
  } finally {
    await proxied.close();
  }
});

test('HTTP/1.0 without a Host gets the address where the kit listens', async () => {
  const { responses } = await sendRaw({ port: kit.port, bytes: 'GET /auth/.well-known/oauth-authorization-server HTTP/1.0\r\n\r\n' });
  assert.equal(JSON.parse(responses[0]?.body ?? '{}').issuer, kit.authUrl);
});

test('the metadata follows the decisions in force', async () => {
  const { grant_types_supported: grants, token_endpoint_auth_methods_supported: methods } = await read(kit.url + LOCATIONS[0]);
  assert.deepEqual(grants, ['authorization_code', 'refresh_token']);
  assert.deepEqual(methods, ['client_secret_post', 'private_key_jwt']);
  const set = { 'oauth.refresh': 'none', 'oauth.other-grants': 'client-credentials', 'oauth.client-basic': 'accepted' } as const;
  const other = await createKit({ port: 0, set });
  try {
    const metadata = await read(other.url + LOCATIONS[0]);
    assert.deepEqual(metadata.grant_types_supported, ['authorization_code', 'client_credentials']);
    assert.ok((metadata.token_endpoint_auth_methods_supported as string[]).includes('client_secret_basic'));
  } finally {
    await other.close();
  }
});

test('the key set has the public key that access tokens are signed with', async () => {
  const { keys } = await read(`${kit.authUrl}/jwks`);
  assert.deepEqual(keys, [worldSigningKey('demo').publicJwk]);
});

test('pages of any origin can read the documents, but not the login', async () => {
  for (const [path, allowed] of [
    ['/jwks', '*'],
    ['/.well-known/oauth-authorization-server', '*'],
    ['/authorize', null],
  ] as const) {
    const { headers } = await fetch(kit.authUrl + path, { headers: { origin: 'https://page.example' }, redirect: 'manual' });
    assert.equal(headers.get('access-control-allow-origin'), allowed, path);
  }
});
