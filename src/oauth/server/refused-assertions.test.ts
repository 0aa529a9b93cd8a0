import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKit, type Kit } from '../../kit.ts';
import { ASSERTION_TYPE, assertionOf, type Changes, expectError, flow, type TokenAnswer } from './testing/flow.ts';

let kit: Kit;
let client: ReturnType<typeof flow>;
let signer: ReturnType<typeof flow>;
before(async () => {
  kit = await createKit({ port: 0 });
  client = flow(kit.authUrl);
  signer = flow(kit.authUrl, 'acme-signer');
});
after(() => kit.close());

describe('a client assertion is refused', () => {
  const by = async (assertion: string, changes: Changes = {}): Promise<TokenAnswer> =>
    signer.exchange(await signer.code(), {
      client_secret: undefined,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
      ...changes,
    });
  const now = () => Math.floor(Date.now() / 1000);
  const assertionWith = (changes: Readonly<Record<string, unknown>>) => assertionOf('acme-signer', kit.authUrl, changes);

  const cases: readonly [title: string, assertion: () => Promise<string>, why: RegExp][] = [
    ['that has expired', () => assertionWith({ exp: now() - 1 }), /has expired/],
    [
      'with claims nested too deeply',
      () => assertionWith({ nested: JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) }),
      /more than 100 levels/,
    ],
    ['for the API', () => assertionOf('acme-signer', kit.url), /audience \(aud\)/],
    ["signed with another client's key", () => assertionOf('acme-signer', kit.authUrl, {}, 'acme-either'), /key and algorithm|signature/],
    [
      'whose array of audiences also names another server',
      () => assertionWith({ aud: ['https://other.example', kit.authUrl] }),
      /must not have another audience/,
    ],
    ['that expires in 61 minutes', () => assertionWith({ exp: now() + 3660 }), /within 3600 seconds/],
    ['that expires in 30 years', () => assertionWith({ exp: now() + 946_080_000 }), /within 3600 seconds/],
    ['that expires at 1e300', () => assertionWith({ exp: 1e300 }), /within 3600 seconds/],
    ['without exp', () => assertionWith({ exp: undefined }), /[Ee]xpiration/],
    ['without jti', () => assertionWith({ jti: undefined }), /jti/],
    ['without aud', () => assertionWith({ aud: undefined }), /aud/],
    ['with another issuer', () => assertionWith({ iss: 'else' }), /iss/],
    ['that is not valid yet', () => assertionWith({ nbf: now() + 60 }), /not valid yet/],
  ];
  for (const [title, assertion, why] of cases)
    test(title, async () => expectError(await by(await assertion()), [401, 'invalid_client', why]));

  test('of another client', async () =>
    expectError(await by(await assertionOf('acme-either', kit.authUrl)), [400, 'invalid_request', /sub/]));

  test('that is not a JWT', async () => expectError(await by('nonsense'), [400, 'invalid_request', /not a JWT/]));

  test('unless its array of audiences names only this server', async () => {
    for (const aud of [[kit.authUrl], [kit.authUrl, `${kit.authUrl}/oauth/token`]]) {
      assert.equal((await by(await assertionOf('acme-signer', kit.authUrl, { aud }))).status, 200);
    }
  });

  test('that was used before, for another code', async () => {
    const assertion = await assertionOf('acme-signer', kit.authUrl);
    assert.equal((await by(assertion)).status, 200);
    expectError(await by(assertion), [401, 'invalid_client', /was used before/]);
  });

  test('of another type, and without a type', async () => {
    const assertion = await assertionOf('acme-signer', kit.authUrl);
    expectError(await by(assertion, { client_assertion_type: 'saml' }), [400, 'invalid_request', /must be urn:ietf/]);
    expectError(await by(assertion, { client_assertion_type: undefined }), [400, 'invalid_request', /must be urn:ietf/]);
    expectError(await by('', {}), [400, 'invalid_request', /no client_assertion/]);
  });

  test('of a client that has only a secret, and a secret of one that has only a key', async () => {
    const code = await client.code();
    const changes = {
      client_secret: undefined,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await assertionOf('acme-web', kit.authUrl, {}, 'acme-signer'),
    };
    expectError(await client.exchange(code, changes), [401, 'invalid_client', /no registered key/]);
    expectError(await signer.exchange(await signer.code(), { client_secret: 'some-secret' }), [401, 'invalid_client', /has no secret/]);
  });
});

test('oauth.assertion.lifetime limits how far ahead an assertion may expire', async () => {
  const day = 86_400;
  const lenient = await createKit({ port: 0, set: { 'oauth.assertion.lifetime': day } });
  const own = flow(lenient.authUrl, 'acme-signer');
  const answer = async (ahead: number) => {
    const exp = Math.floor(Date.now() / 1000) + ahead;
    const proof = { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertionOf('acme-signer', lenient.authUrl, { exp }) };
    return own.exchange(await own.code(), { client_secret: undefined, ...proof });
  };
  try {
    assert.equal((await answer(day)).status, 200);
    expectError(await answer(day + 60), [401, 'invalid_client', /within 86400 seconds/]);
  } finally {
    await lenient.close();
  }
});
