import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { Granted } from '../actors/oauth-client.ts';
import { ASSERTION_TYPE, type Changes, signAssertion, withoutSignature } from '../actors/oauth-parameters.ts';
import { expectNoToken, expectToken } from '../expect/token.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';

for (const [kind, id, title] of [
  ['secret', 'oauth.token.client-secret', 'A client may authenticate with client_secret in the body.'],
  ['key', 'oauth.token.client-assertion', 'A client may authenticate with a signed client_assertion of the type jwt-bearer.'],
] as const) {
  test(title, rule(id), async ({ oauth }) => {
    const flow = await oauth.flow(kind);
    expectToken(await flow.exchange(await flow.expectCode()));
  });
}

test('A code is exchanged once (RFC 6749, section 4.1.2).', rule('oauth.code.single-use'), async ({ oauth }) => {
  const flow = await oauth.flow();
  const { granted } = await flow.tokens();
  expectNoToken(await flow.exchange(granted));
});

test(
  'A code is exchanged only by the client that it was issued to (RFC 6749, section 4.1.3).',
  rule('oauth.code.client'),
  async ({ oauth }) => {
    const [flow, otherFlow] = [await oauth.proven('secret'), await oauth.proven('key')];
    expectNoToken(await otherFlow.exchange(await flow.code()));
  },
);

/** Checks that a valid exchange with these changes gets no access token. @param kind how the client authenticates */
function refuses(
  id: RuleId,
  title: string,
  kind: 'secret' | 'key' | undefined,
  changes: (need: Need, granted: Granted) => Changes | Promise<Changes>,
): void {
  test(title, rule(id), async ({ oauth, need }) => {
    const flow = await oauth.proven(kind);
    const granted = await flow.code();
    expectNoToken(await flow.exchange(granted, await changes(need, granted)));
  });
}

/** Replaces the last character. */
const misspelled = (text: string): string => `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`;

for (const [variant, wrong] of [
  ['another host', (uri: string) => `https://elsewhere.invalid${new URL(uri).pathname}`],
  ['a longer path', (uri: string) => `${uri}/elsewhere`],
] as const)
  refuses(
    'oauth.code.redirect-uri',
    `A code is exchanged only with the redirect_uri of its authorization request (RFC 6749, section 4.1.3): ${variant}.`,
    undefined,
    (_, { parameters }) => ({ redirect_uri: wrong(parameters.redirect_uri ?? '') }),
  );

for (const [variant, wrong] of [
  ['a UUID', () => randomUUID()],
  ['a code with another last character', misspelled],
] as const)
  refuses(
    'oauth.code.unknown',
    `A code that was never issued gets no access token (RFC 6749, section 5.2): ${variant}.`,
    undefined,
    (_, { code }) => ({ code: wrong(code) }),
  );

for (const kind of ['secret', 'key'] as const)
  refuses(
    'oauth.clients.confidential-only',
    `A token request without client authentication gets no access token: a client with a ${kind}.`,
    kind,
    () => ({ client_secret: undefined, client_assertion_type: undefined, client_assertion: undefined }),
  );

refuses(
  'oauth.clients.both-methods',
  'A token request with both client authentication methods gets no access token: both are valid.',
  'key',
  async (need) => {
    const { secret } = await need('oauth.key-client');
    return { client_secret: secret ?? notTestable('a client that may use either (authorization.keyClient.secret of the profile)') };
  },
);

refuses(
  'oauth.clients.both-methods',
  'A token request with both client authentication methods gets no access token: only the secret is valid.',
  'secret',
  async (need) => {
    const { id } = await need('oauth.secret-client');
    const assertion = await signAssertion({ id, privateKey: anotherKey({ kty: 'EC' }), audience: 'https://authorization.invalid' });
    return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
  },
);

for (const [variant, wrong] of [
  ['one character longer', (secret: string) => `${secret}x`],
  ['one character shorter', (secret: string) => secret.slice(0, -1)],
  ['another last character', misspelled],
] as const)
  refuses(
    'oauth.clients.wrong-secret',
    `A wrong client_secret gets no access token (RFC 6749, section 5.2): ${variant}.`,
    'secret',
    async (need) => ({ client_secret: wrong((await need('oauth.secret-client')).secret) }),
  );

const SIGNATURE = 'A client_assertion that the client did not sign gets no access token (RFC 7523, section 3)';

refuses('oauth.clients.assertion-signature', `${SIGNATURE}: unsigned.`, 'key', async (need) => ({
  client_assertion: withoutSignature(await signAssertion(await need('oauth.key-client'))),
}));

refuses('oauth.clients.assertion-signature', `${SIGNATURE}: signed with another key.`, 'key', async (need) => {
  const client = await need('oauth.key-client');
  return { client_assertion: await signAssertion({ ...client, privateKey: anotherKey(client.privateKey) }) };
});

for (const minutes of [5, 24 * 60])
  refuses(
    'oauth.clients.assertion-expired',
    `A client_assertion that has expired gets no access token (RFC 7523, section 3): ${minutes} minutes ago.`,
    'key',
    async (need) => {
      const exp = Math.floor(Date.now() / 1000) - minutes * 60;
      return { client_assertion: await signAssertion(await need('oauth.key-client'), { iat: exp - 60, exp }) };
    },
  );

for (const [variant, audience] of [
  ['the URL of another server', 'https://another-authorization-server.invalid/oauth/token'],
  ['a word', 'somebody-else'],
] as const)
  refuses(
    'oauth.clients.assertion-audience',
    `A client_assertion for another audience than the authorization server gets no access token (RFC 7523, section 3): ${variant}.`,
    'key',
    async (need) => ({ client_assertion: await signAssertion(await need('oauth.key-client'), { aud: audience }) }),
  );

/** A key that no client has, with the type and the name of the given one: only the signature is wrong. */
function anotherKey({ kty, crv, kid, alg }: JsonWebKey): JsonWebKey {
  const pair = kty === 'EC' ? generateKeyPairSync('ec', { namedCurve: crv ?? 'P-256' }) : anotherPair(kty);
  return { ...pair.privateKey.export({ format: 'jwk' }), ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) };
}

function anotherPair(kty: string | undefined) {
  return kty === 'OKP' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 });
}
