import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { ASSERTION_TYPE, assertionOf, unsignedOf } from '../actors/oauth-parts.ts';
import { mustHaveCode, mustHaveToken, noToken } from '../expect/oauth-judge.ts';
import { test } from '../runner/oauth-test.ts';
import { rule } from '../runner/rule.ts';
import { notTestable } from '../target/not-testable.ts';

const withoutAuthentication = { client_secret: undefined, client_assertion_type: undefined, client_assertion: undefined };

/** A key that no client has, of the type and name of the given one: what is refused is not refused for those. */
function anotherKey({ kty, crv, kid, alg }: JsonWebKey): JsonWebKey {
  const pair = kty === 'EC' ? generateKeyPairSync('ec', { namedCurve: crv ?? 'P-256' }) : otherPair(kty);
  return { ...pair.privateKey.export({ format: 'jwk' }), ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) };
}

const otherPair = (kty: string | undefined) =>
  kty === 'OKP' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 });

for (const [kind, id, sentence] of [
  ['secret', 'oauth.token.client-secret', 'A client may authenticate with client_secret in the body.'],
  ['key', 'oauth.token.client-assertion', 'A client may authenticate with a signed client_assertion of the type jwt-bearer.'],
] as const) {
  test(sentence, rule(id), async ({ oauth }) => {
    const flow = await oauth.flow(kind);
    const granted = await flow.ask();
    mustHaveCode(granted);
    mustHaveToken(await flow.exchange(granted));
  });
}

for (const kind of ['secret', 'key'] as const) {
  test(
    `A token request without client authentication gets no access token: a client with a ${kind}.`,
    rule('oauth.clients.confidential-only'),
    async ({ oauth }) => {
      const flow = await oauth.proven(kind);
      noToken(await flow.exchange(await flow.code(), withoutAuthentication));
    },
  );
}

test(
  'A token request with both client authentication methods gets no access token: it is exactly one: both right.',
  rule('oauth.clients.both-methods'),
  async ({ oauth, need }) => {
    const { secret } = await need('oauth.key-client');
    if (secret === undefined) notTestable('a client that may use either (authorization.keyClient.secret of the profile)');
    const flow = await oauth.proven('key');
    noToken(await flow.exchange(await flow.code(), { client_secret: secret }));
  },
);

test(
  'A token request with both client authentication methods gets no access token: it is exactly one: the secret right.',
  rule('oauth.clients.both-methods'),
  async ({ oauth }) => {
    const flow = await oauth.proven('secret');
    const { clientId } = flow.client;
    const assertion = await assertionOf({ clientId, privateJwk: anotherKey({ kty: 'EC' }), audience: 'https://authorization.invalid' });
    noToken(await flow.exchange(await flow.code(), { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion }));
  },
);

for (const [what, wrong] of [
  ['longer', (secret: string) => `${secret}x`],
  ['shorter', (secret: string) => secret.slice(0, -1)],
  ['one letter', (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`],
] as const) {
  test(
    `A wrong client_secret gets no access token (RFC 6749, section 5.2): ${what}.`,
    rule('oauth.clients.wrong-secret'),
    async ({ oauth, need }) => {
      const flow = await oauth.proven('secret');
      const { secret } = await need('oauth.secret-client');
      noToken(await flow.exchange(await flow.code(), { client_secret: wrong(secret) }));
    },
  );
}

test(
  'A client_assertion that is unsigned, or signed with a key that is not the client’s, gets no access token (RFC 7523, section 3): unsigned.',
  rule('oauth.clients.assertion-signature'),
  async ({ oauth, need }) => {
    const flow = await oauth.proven('key');
    const assertion = unsignedOf(await assertionOf(await need('oauth.key-client')));
    noToken(await flow.exchange(await flow.code(), { client_assertion: assertion }));
  },
);

test(
  'A client_assertion that is unsigned, or signed with a key that is not the client’s, gets no access token (RFC 7523, section 3): another key.',
  rule('oauth.clients.assertion-signature'),
  async ({ oauth, need }) => {
    const flow = await oauth.proven('key');
    const client = await need('oauth.key-client');
    const assertion = await assertionOf({ ...client, privateJwk: anotherKey(client.privateJwk) });
    noToken(await flow.exchange(await flow.code(), { client_assertion: assertion }));
  },
);

for (const minutes of [5, 60 * 24]) {
  test(
    `A client_assertion that has expired gets no access token (RFC 7523, section 3): ${minutes} minutes ago.`,
    rule('oauth.clients.assertion-expired'),
    async ({ oauth, need }) => {
      const flow = await oauth.proven('key');
      const exp = Math.floor(Date.now() / 1000) - minutes * 60;
      const assertion = await assertionOf(await need('oauth.key-client'), { iat: exp - 60, exp });
      noToken(await flow.exchange(await flow.code(), { client_assertion: assertion }));
    },
  );
}

for (const [what, audience] of [
  ['another server', 'https://another-authorization-server.invalid/oauth/token'],
  ['a word', 'somebody-else'],
] as const) {
  test(
    `A client_assertion for another audience than the authorization server gets no access token (RFC 7523, section 3): ${what}.`,
    rule('oauth.clients.assertion-audience'),
    async ({ oauth, need }) => {
      const flow = await oauth.proven('key');
      const assertion = await assertionOf(await need('oauth.key-client'), { aud: audience });
      noToken(await flow.exchange(await flow.code(), { client_assertion: assertion }));
    },
  );
}
