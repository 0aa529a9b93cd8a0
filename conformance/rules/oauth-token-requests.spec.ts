import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { AuthorizationWithCode } from '../actors/oauth-flow.ts';
import { ASSERTION_TYPE, type ParameterChanges, removeSignature, signAssertion } from '../actors/oauth-parameters.ts';
import { expectNoToken, expectToken } from '../expect/token.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';

for (const [kind, id] of [
  ['secret', 'oauth.token.client-secret'],
  ['key', 'oauth.token.client-assertion'],
] as const) {
  test(...rule(id), async ({ oauth }) => {
    const flow = await oauth.openFlow(kind);
    expectToken(await flow.exchangeCode(await flow.expectCode()));
  });
}

test(...rule('oauth.code.single-use'), async ({ oauth }) => {
  const flow = await oauth.openFlow();
  const { granted } = await flow.requestTokens();
  expectNoToken(await flow.exchangeCode(granted));
});

test(...rule('oauth.code.single-use', 'two exchanges at the same moment'), async ({ oauth }) => {
  const flow = await oauth.openFlow();
  const granted = await flow.requestCode();
  const answers = await Promise.all([flow.exchangeCode(granted), flow.exchangeCode(granted)]);
  // A server may refuse both, because two exchanges of one code look like an attack.
  expectNoToken(answers.find(({ status }) => status >= 400) ?? answers[1]);
});

test(...rule('oauth.code.client'), async ({ oauth }) => {
  const [flow, otherFlow] = [await oauth.openVerifiedFlow('secret'), await oauth.openVerifiedFlow('key')];
  expectNoToken(await otherFlow.exchangeCode(await flow.requestCode()));
});

const replaceLastCharacter = (text: string): string => `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`;

const NO_CLIENT_AUTHENTICATION = { client_secret: undefined, client_assertion_type: undefined, client_assertion: undefined };

const changeSecret = (change: (secret: string) => string) => async (need: Need) => ({
  client_secret: change((await need('oauth.secret-client')).secret),
});

const createAssertion = async (need: Need, claims: Readonly<Record<string, unknown>>): Promise<ParameterChanges> => ({
  client_assertion: await signAssertion(await need('oauth.key-client'), claims),
});

const createExpiredClaims = (minutes: number) => {
  const exp = Math.floor(Date.now() / 1000) - minutes * 60;
  return { iat: exp - 60, exp };
};

/** Each entry changes a valid token request. The response must then contain no access token. */
const REFUSALS: readonly (readonly [
  rule: RuleId,
  variant: string,
  kind: 'secret' | 'key' | undefined,
  changes: (need: Need, granted: AuthorizationWithCode) => ParameterChanges | Promise<ParameterChanges>,
])[] = [
  [
    'oauth.code.redirect-uri',
    'a different host',
    undefined,
    (_, { parameters: { redirect_uri: uri = '' } }) => ({ redirect_uri: `https://elsewhere.invalid${new URL(uri).pathname}` }),
  ],
  [
    'oauth.code.redirect-uri',
    'a longer path',
    undefined,
    (_, { parameters }) => ({ redirect_uri: `${parameters.redirect_uri}/elsewhere` }),
  ],
  ['oauth.code.redirect-uri', 'absent', undefined, () => ({ redirect_uri: undefined })],
  ['oauth.code.unknown', 'a UUID', undefined, () => ({ code: randomUUID() })],
  ['oauth.code.unknown', 'a code with a different last character', undefined, (_, { code }) => ({ code: replaceLastCharacter(code) })],
  ['oauth.clients.confidential-only', 'a client with a secret', 'secret', () => NO_CLIENT_AUTHENTICATION],
  ['oauth.clients.confidential-only', 'a client with a key', 'key', () => NO_CLIENT_AUTHENTICATION],
  [
    'oauth.clients.both-methods',
    'the secret and the assertion are valid',
    'key',
    async (need) => {
      const { secret } = await need('oauth.key-client');
      return {
        client_secret: secret ?? endAsNotTestable('no client has both a key and a secret (authorization.keyClient.secret in the profile)'),
      };
    },
  ],
  [
    'oauth.clients.both-methods',
    'only the secret is valid',
    'secret',
    async (need) => {
      const { id } = await need('oauth.secret-client');
      const signed = await signAssertion({ id, privateKey: generateKey({ kty: 'EC' }), audience: 'https://authorization.invalid' });
      return { client_assertion_type: ASSERTION_TYPE, client_assertion: signed };
    },
  ],
  ['oauth.clients.both-methods', 'only the assertion is valid', 'key', () => ({ client_secret: randomUUID() })],
  ['oauth.clients.wrong-secret', 'one character longer', 'secret', changeSecret((secret) => `${secret}x`)],
  ['oauth.clients.wrong-secret', 'one character shorter', 'secret', changeSecret((secret) => secret.slice(0, -1))],
  ['oauth.clients.wrong-secret', 'a different last character', 'secret', changeSecret(replaceLastCharacter)],
  [
    'oauth.clients.assertion-signature',
    'unsigned',
    'key',
    async (need) => ({ client_assertion: removeSignature(await signAssertion(await need('oauth.key-client'))) }),
  ],
  [
    'oauth.clients.assertion-signature',
    'signed with a different key',
    'key',
    async (need) => {
      const client = await need('oauth.key-client');
      return { client_assertion: await signAssertion({ ...client, privateKey: generateKey(client.privateKey) }) };
    },
  ],
  ['oauth.clients.assertion-expired', 'expired an hour ago', 'key', (need) => createAssertion(need, createExpiredClaims(60))],
  ['oauth.clients.assertion-expired', 'expired a day ago', 'key', (need) => createAssertion(need, createExpiredClaims(24 * 60))],
  ['oauth.clients.assertion-audience', 'a word', 'key', (need) => createAssertion(need, { aud: 'somebody-else' })],
  [
    'oauth.clients.assertion-audience',
    "a different server's URL",
    'key',
    (need) => createAssertion(need, { aud: 'https://another-authorization-server.invalid/oauth/token' }),
  ],
];
for (const [id, variant, kind, changes] of REFUSALS) {
  test(...rule(id, variant), async ({ oauth, need }) => {
    const flow = await oauth.openVerifiedFlow(kind);
    const granted = await flow.requestCode();
    expectNoToken(await flow.exchangeCode(granted, await changes(need, granted)));
  });
}

/** Generates a different key of the same type and with the same `kid`, so that only the signature is invalid. */
function generateKey({ kty, crv, kid, alg }: JsonWebKey): JsonWebKey {
  const pair = kty === 'EC' ? generateKeyPairSync('ec', { namedCurve: crv ?? 'P-256' }) : generateKeyPair(kty);
  return { ...pair.privateKey.export({ format: 'jwk' }), ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) };
}

function generateKeyPair(kty: string | undefined) {
  return kty === 'OKP' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 });
}
