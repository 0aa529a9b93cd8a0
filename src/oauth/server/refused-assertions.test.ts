import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKit, type Kit } from '../../kit.ts';
import { ASSERTION_TYPE, assertionOf, type Changes, clientId, flow, type TokenAnswer } from './testing/flow.ts';
import { refused } from './testing/refused.ts';
import { rule } from './testing/rule.ts';

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
  const unsigned = (claims: object): string =>
    `${btoa('{"alg":"none"}')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`.replaceAll('=', '');

  type Case = readonly [title: string, assertion: () => Promise<string> | string, status: number, error: string, why: RegExp];
  const cases: readonly Case[] = [
    [
      rule('oauth.clients.assertion-expired'),
      () => assertionOf('acme-signer', kit.authUrl, { exp: now() - 1 }),
      401,
      'invalid_client',
      /has expired/,
    ],
    [
      rule('oauth.clients.assertion-audience'),
      () => assertionOf('acme-signer', 'https://other.example'),
      401,
      'invalid_client',
      /audience \(aud\)/,
    ],
    [
      'with claims nested too deeply',
      () => assertionOf('acme-signer', kit.authUrl, { nested: JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) }),
      401,
      'invalid_client',
      /more than 100 levels/,
    ],
    ['for the API', () => assertionOf('acme-signer', kit.url), 401, 'invalid_client', /audience \(aud\)/],
    [
      rule('oauth.clients.assertion-signature'),
      () => unsigned({ iss: clientId('acme-signer'), sub: clientId('acme-signer'), aud: kit.authUrl, exp: now() + 60, jti: '1' }),
      401,
      'invalid_client',
      /public-key algorithm/,
    ],
    [
      "signed with another client's key",
      () => assertionOf('acme-signer', kit.authUrl, {}, 'acme-either'),
      401,
      'invalid_client',
      /key and algorithm|signature/,
    ],
    [
      'whose array of audiences also names another server',
      () => assertionOf('acme-signer', kit.authUrl, { aud: ['https://other.example', kit.authUrl] }),
      401,
      'invalid_client',
      /must not have another audience/,
    ],
    ...Object.entries({ 'in 61 minutes': now() + 3660, 'in 30 years': now() + 946_080_000, 'at 1e300': 1e300 }).map(
      ([when, exp]): Case => [
        `that expires ${when}`,
        () => assertionOf('acme-signer', kit.authUrl, { exp }),
        401,
        'invalid_client',
        /within 3600 seconds/,
      ],
    ),
    ['without exp', () => assertionOf('acme-signer', kit.authUrl, { exp: undefined }), 401, 'invalid_client', /[Ee]xpiration/],
    ['without jti', () => assertionOf('acme-signer', kit.authUrl, { jti: undefined }), 401, 'invalid_client', /jti/],
    ['without aud', () => assertionOf('acme-signer', kit.authUrl, { aud: undefined }), 401, 'invalid_client', /aud/],
    ['with another issuer', () => assertionOf('acme-signer', kit.authUrl, { iss: 'else' }), 401, 'invalid_client', /iss/],
    ['not valid yet', () => assertionOf('acme-signer', kit.authUrl, { nbf: now() + 60 }), 401, 'invalid_client', /not valid yet/],
    ['of another client', () => assertionOf('acme-either', kit.authUrl), 400, 'invalid_request', /sub/],
    ['that is not a JWT', () => 'nonsense', 400, 'invalid_request', /not a JWT/],
  ];
  for (const [title, assertion, ...expected] of cases) test(title, async () => refused(await by(await assertion()), expected));

  test('unless its array of audiences names only this server', async () => {
    for (const aud of [[kit.authUrl], [kit.authUrl, `${kit.authUrl}/oauth/token`]]) {
      assert.equal((await by(await assertionOf('acme-signer', kit.authUrl, { aud }))).status, 200);
    }
  });

  test('that was used before, for another code', async () => {
    const assertion = await assertionOf('acme-signer', kit.authUrl);
    assert.equal((await by(assertion)).status, 200);
    refused(await by(assertion), [401, 'invalid_client', /was used before/]);
  });

  test('of another type, and without a type', async () => {
    const assertion = await assertionOf('acme-signer', kit.authUrl);
    refused(await by(assertion, { client_assertion_type: 'saml' }), [400, 'invalid_request', /must be urn:ietf/]);
    refused(await by(assertion, { client_assertion_type: undefined }), [400, 'invalid_request', /must be urn:ietf/]);
    refused(await by('', {}), [400, 'invalid_request', /no client_assertion/]);
  });

  test('of a client that has only a secret, and a secret of one that has only a key', async () => {
    const code = await client.code();
    const changes = {
      client_secret: undefined,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await assertionOf('acme-web', kit.authUrl, {}, 'acme-signer'),
    };
    refused(await client.exchange(code, changes), [401, 'invalid_client', /no registered key/]);
    refused(await signer.exchange(await signer.code(), { client_secret: 'some-secret' }), [401, 'invalid_client', /has no secret/]);
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
    refused(await answer(day + 60), [401, 'invalid_client', /within 86400 seconds/]);
  } finally {
    await lenient.close();
  }
});
