import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { stableUuid } from '../../clock/ids.ts';
import { createKit, type Kit } from '../../kit.ts';
import {
  ASSERTION_TYPE,
  type Changes,
  createAssertion,
  createFlow,
  expectError,
  getClientId,
  type TokenResponse,
} from '../../testing/oauth-flow.ts';
import { DEFAULT_EPOCH } from '../../world/world.ts';

let kit: Kit;
let client: ReturnType<typeof createFlow>;
let signer: ReturnType<typeof createFlow>;
before(async () => {
  kit = await createKit({ port: 0 });
  client = createFlow(kit.authUrl);
  signer = createFlow(kit.authUrl, 'acme-signer');
});
after(() => kit.close());

describe('a token request is refused without using up the code', () => {
  const worker = { client_id: getClientId('acme-worker-1'), client_secret: 'demo-secret-acme-worker-1' };
  const assertion = { client_assertion_type: ASSERTION_TYPE, client_assertion: 'a.b.c' };
  const cases: readonly [title: string, changes: Changes, status: number, error: string, why: RegExp][] = [
    ['without a code_verifier', { code_verifier: undefined }, 400, 'invalid_grant', /code_verifier/],
    ['with another code_verifier', { code_verifier: 'a'.repeat(43) }, 400, 'invalid_grant', /does not match/],
    ['with another registered redirect_uri', { redirect_uri: 'http://localhost:3000/callback' }, 400, 'invalid_grant', /redirect_uri/],
    ['without a redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request', /redirect_uri/],
    ['without a client_id', { client_id: undefined }, 400, 'invalid_request', /client_id is missing/],
    ['with an empty secret', { client_secret: '' }, 401, 'invalid_client', /no client authentication/],
    ['with a wrong secret', { client_secret: 'not-the-secret' }, 401, 'invalid_client', /secret/],
    ['with the beginning of the secret', { client_secret: 'demo-secret-acme-we' }, 401, 'invalid_client', /secret/],
    ['with NULs after the secret', { client_secret: 'demo-secret-acme-web\0\0' }, 401, 'invalid_client', /secret/],
    ['by a client that does not exist', { client_id: 'nobody' }, 401, 'invalid_client', /client not found/],
    ['by another client', worker, 400, 'invalid_grant', /issued to another client/],
    ['with a secret and an assertion', assertion, 400, 'invalid_request', /more than one/],
    ['with a secret and a client_assertion_type', { client_assertion_type: ASSERTION_TYPE }, 400, 'invalid_request', /more than one/],
    ['with an unknown code', { code: 'unknown' }, 400, 'invalid_grant', /code does not exist/],
    ['without a code', { code: undefined }, 400, 'invalid_request', /code/],
    ['without a grant_type', { grant_type: undefined }, 400, 'invalid_request', /grant_type is missing/],
    ['with an unsupported grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type', /authorization_code, refresh_token/],
  ];
  for (const [title, changes, ...expected] of cases) {
    test(title, async () => {
      const code = await client.obtainAuthorizationCode();
      expectError(await client.exchange(code, changes), expected);
      assert.equal((await client.exchange(code)).status, 200);
    });
  }

  test('a token request with an Authorization header is refused, with or without client_secret', async () => {
    const code = await client.obtainAuthorizationCode();
    const authorization = `Basic ${btoa(`${getClientId('acme-web')}:demo-secret-acme-web`)}`;
    for (const changes of [{ client_secret: undefined }, {}]) {
      const answer = await client.exchange(code, changes, { authorization });
      expectError(answer, [401, 'invalid_client', /Authorization header is not accepted/]);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm=/);
    }
    assert.equal((await client.exchange(code)).status, 200);
  });

  test('a token request with a parameter that is sent twice is refused', async () => {
    const code = await client.obtainAuthorizationCode();
    const twice = `grant_type=authorization_code&code=${code}&code=${code}`;
    expectError(await client.postTokenRequest(twice), [400, 'invalid_request', /code was sent 2 times/]);
  });
});

test('if HTTP Basic is accepted, an Authorization header without valid credentials gets 401', async () => {
  const other = await createKit({ port: 0, set: { 'oauth.client-basic': 'accepted' } });
  try {
    const basicClient = createFlow(other.authUrl);
    const id = getClientId('acme-web');
    const exchange = async (authorization: string) =>
      basicClient.exchange(await basicClient.obtainAuthorizationCode(), { client_secret: undefined }, { authorization });
    const malformed = ['Basic', 'Basic !', `Basic ${btoa(id)}`, `Basic ${btoa(`${id}:`)}`, `Basic ${btoa(`${id}:%ZZ`)}`, 'Bearer x'];
    for (const authorization of malformed) {
      const answer = await exchange(authorization);
      expectError(answer, [401, 'invalid_client', /must be Basic/]);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm=/);
    }
    expectError(await exchange(`Basic ${btoa(`${id}:wrong`)}`), [401, 'invalid_client', /secret/]);
    assert.equal((await exchange(`basic ${btoa(`${id}:demo-secret-acme-web`)}`)).status, 200);
  } finally {
    await other.close();
  }
});

test('a public client (without a secret and without a key) cannot get a code or a token', async () => {
  const clients = { c: { provider: 'p', name: 'C', redirectUris: ['http://127.0.0.1:3000/callback'] } };
  const other = await createKit({ port: 0, fixtures: { world: 'public', providers: { p: { name: 'P' } }, clients } });
  try {
    const id = stableUuid('public', 'client', 'c', Date.parse(DEFAULT_EPOCH));
    const publicClient = createFlow(other.authUrl, 'c', id);
    const { status, location, body } = await publicClient.authorize();
    assert.deepEqual([status, location, JSON.parse(body).error], [400, undefined, 'unauthorized_client']);
    const answer = await publicClient.exchange('code', { client_secret: undefined });
    expectError(answer, [401, 'invalid_client', /only confidential clients/]);
    expectError(await publicClient.exchange('code'), [400, 'unauthorized_client', /only confidential clients/]);
  } finally {
    await other.close();
  }
});

describe('a client assertion is refused', () => {
  const authenticateBy = async (assertion: string, changes: Changes = {}, from = signer): Promise<TokenResponse> =>
    from.exchange(await from.obtainAuthorizationCode(), {
      client_secret: undefined,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
      ...changes,
    });
  const now = () => Math.floor(Date.now() / 1000);
  const signAssertion = (changes: Readonly<Record<string, unknown>> = {}) => createAssertion('acme-signer', kit.authUrl, changes);
  const deep = JSON.parse('['.repeat(3_000) + ']'.repeat(3_000));

  const cases: readonly [title: string, claims: () => Readonly<Record<string, unknown>>, why: RegExp][] = [
    ['with claims nested too deeply', () => ({ nested: deep }), /more than 100 levels/],
    [
      'with this server and another one as audiences',
      () => ({ aud: ['https://other.example', kit.authUrl] }),
      /must not have an audience \(aud\) other than/,
    ],
    ['that expires in 61 minutes', () => ({ exp: now() + 3660 }), /at most 3600 seconds/],
    ['that expires at 1e300', () => ({ exp: 1e300 }), /at most 3600 seconds/],
    ['without jti', () => ({ jti: undefined }), /jti/],
    ['that is not valid yet', () => ({ nbf: now() + 60 }), /not valid yet/],
  ];
  for (const [title, claims, why] of cases)
    test(title, async () => expectError(await authenticateBy(await signAssertion(claims())), [401, 'invalid_client', why]));

  test('a client_assertion is refused if another client received the code', async () => {
    expectError(await authenticateBy(await createAssertion('acme-either', kit.authUrl)), [400, 'invalid_request', /sub/]);
    const foreign = await createAssertion('acme-signer', kit.authUrl, {}, 'acme-either');
    expectError(await authenticateBy(foreign), [401, 'invalid_client', /key and algorithm|signature/]);
  });

  test('a client_assertion is refused if it is not a JWT, or if the client_assertion_type is unknown or missing', async () => {
    expectError(await authenticateBy('nonsense'), [400, 'invalid_request', /client_assertion|JWT/]);
    for (const type of ['saml', undefined])
      expectError(await authenticateBy(await signAssertion(), { client_assertion_type: type }), [
        400,
        'invalid_request',
        /client_assertion_type must/,
      ]);
    expectError(await authenticateBy(''), [400, 'invalid_request', /no client_assertion/]);
  });

  test('a client_assertion whose audiences all belong to this server is accepted, but only once', async () => {
    const assertion = await signAssertion({ aud: [kit.authUrl, `${kit.authUrl}/oauth/token`] });
    assert.equal((await authenticateBy(assertion)).status, 200);
    expectError(await authenticateBy(assertion), [401, 'invalid_client', /was already used/]);
  });

  test('a client without a key cannot use a client_assertion, and a client without a secret cannot use a client_secret', async () => {
    const assertion = await createAssertion('acme-web', kit.authUrl, {}, 'acme-signer');
    expectError(await authenticateBy(assertion, {}, client), [401, 'invalid_client', /no registered key/]);
    expectError(await signer.exchange(await signer.obtainAuthorizationCode(), { client_secret: 'some-secret' }), [
      401,
      'invalid_client',
      /has no secret/,
    ]);
  });
});
