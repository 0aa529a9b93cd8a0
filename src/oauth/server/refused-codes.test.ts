import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { stableUuid } from '../../clock/ids.ts';
import { createKit, type Kit } from '../../kit.ts';
import { DEFAULT_EPOCH } from '../../world/world.ts';
import { ASSERTION_TYPE, type Changes, clientId, expectError, flow } from './testing/flow.ts';

let kit: Kit;
let client: ReturnType<typeof flow>;
before(async () => {
  kit = await createKit({ port: 0 });
  client = flow(kit.authUrl);
});
after(() => kit.close());

describe('a token request is refused without using up the code', () => {
  const cases: readonly [title: string, changes: Changes, status: number, error: string, why: RegExp][] = [
    ['without a code_verifier', { code_verifier: undefined }, 400, 'invalid_grant', /code_verifier is missing/],
    ['with another code_verifier', { code_verifier: 'a'.repeat(43) }, 400, 'invalid_grant', /does not match/],
    [
      'with another registered redirect_uri',
      { redirect_uri: 'http://localhost:3000/callback' },
      400,
      'invalid_grant',
      /redirect_uri differs/,
    ],
    ['without a redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request', /redirect_uri/],
    ['without a client_id', { client_id: undefined }, 400, 'invalid_request', /client_id is missing/],
    ['without client authentication', { client_secret: undefined }, 401, 'invalid_client', /no client authentication/],
    ['with an empty secret', { client_secret: '' }, 401, 'invalid_client', /no client authentication/],
    ['with a wrong secret', { client_secret: 'not-the-secret' }, 401, 'invalid_client', /client_secret is wrong/],
    ['with NULs after the secret', { client_secret: 'demo-secret-acme-web\0\0' }, 401, 'invalid_client', /client_secret is wrong/],
    ['by a client that does not exist', { client_id: 'nobody' }, 401, 'invalid_client', /no client with this client_id/],
    [
      'with a secret and an assertion',
      { client_assertion_type: ASSERTION_TYPE, client_assertion: 'a.b.c' },
      400,
      'invalid_request',
      /more than one/,
    ],
    ['with a secret and the type of an assertion', { client_assertion_type: ASSERTION_TYPE }, 400, 'invalid_request', /more than one/],
    ['with an unknown code', { code: 'unknown' }, 400, 'invalid_grant', /code does not exist/],
    ['with a NUL in the code', { code: 'a\0b' }, 400, 'invalid_grant', /code does not exist/],
    ['without a code', { code: undefined }, 400, 'invalid_request', /code/],
    ['without a grant_type', { grant_type: undefined }, 400, 'invalid_request', /grant_type is missing/],
    ['with an unsupported grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type', /authorization_code, refresh_token/],
  ];
  for (const [title, changes, ...expected] of cases) {
    test(title, async () => {
      const code = await client.code();
      expectError(await client.exchange(code, changes), expected);
      assert.equal((await client.exchange(code)).status, 200);
    });
  }

  test('by another client', async () => {
    const code = await client.code();
    const other = { client_id: clientId('acme-worker-1'), client_secret: 'demo-secret-acme-worker-1' };
    expectError(await client.exchange(code, other), [400, 'invalid_grant', /issued to another client/]);
    assert.equal((await client.exchange(code)).status, 200);
  });

  test('with HTTP Basic, alone or with the secret', async () => {
    const code = await client.code();
    const headers = { authorization: `Basic ${btoa(`${clientId('acme-web')}:demo-secret-acme-web`)}` };
    for (const changes of [{ client_secret: undefined }, {}]) {
      const answer = await client.exchange(code, changes, headers);
      expectError(answer, [401, 'invalid_client', /HTTP Basic is not accepted/]);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm=/);
    }
    expectError(await client.exchange(code, {}, { authorization: 'Bearer x' }), [
      401,
      'invalid_client',
      /client authentication belongs in the body/,
    ]);
    assert.equal((await client.exchange(code)).status, 200);
  });

  test('with a repeated parameter', async () => {
    const code = await client.code();
    const twice = `grant_type=authorization_code&code=${code}&code=${code}`;
    expectError(await client.token(twice), [400, 'invalid_request', /code was sent 2 times/]);
  });
});

test('a public client, with neither a secret nor a key, gets neither a code nor a token', async () => {
  const world = {
    world: 'public',
    providers: { p: { name: 'P' } },
    clients: { c: { provider: 'p', name: 'C', redirectUris: ['http://127.0.0.1:3000/callback'] } },
  };
  const other = await createKit({ port: 0, fixtures: world });
  try {
    const id = stableUuid('public', 'client', 'c', Date.parse(DEFAULT_EPOCH));
    const publicClient = flow(other.authUrl);
    const { status, location, body } = await publicClient.authorize({ client_id: id });
    assert.deepEqual([status, location, JSON.parse(body).error], [400, undefined, 'unauthorized_client']);
    expectError(await publicClient.exchange('code', { client_id: id, client_secret: undefined }), [
      401,
      'invalid_client',
      /only confidential clients/,
    ]);
    const { status: withSecret, body: why } = await publicClient.exchange('code', { client_id: id, client_secret: 'made-up-secret' });
    assert.deepEqual([withSecret, why.error], [400, 'unauthorized_client']);
  } finally {
    await other.close();
  }
});
