import { randomBytes } from 'node:crypto';
import { createChallenge, createVerifier } from '../actors/oauth-parameters.ts';
import { expectNoToken, expectToken } from '../expect/token.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const createVerifierOfLength = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);

/** Returns a verifier whose challenge contains `-` and `_`, which only base64url uses. */
function createVerifierWithSpecialChallenge(): string {
  for (;;) {
    const verifier = createVerifier();
    if (/-.*_|_.*-/.test(createChallenge(verifier))) return verifier;
  }
}

for (const [id, variant, verifierOf] of [
  ['oauth.pkce.s256', 'the verifier from RFC 7636', () => 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  ['oauth.pkce.s256', 'a verifier whose challenge differs in base64 and base64url', createVerifierWithSpecialChallenge],
  ['oauth.pkce.s256', 'a verifier with every special character', () => `${createVerifierOfLength(40)}-._~-._~`],
  ['oauth.pkce.verifier-lengths-accepted', 43, () => createVerifierOfLength(43)],
  ['oauth.pkce.verifier-lengths-accepted', 128, () => createVerifierOfLength(128)],
] as const) {
  test(...rule(id, variant), async ({ oauth }) => {
    const verifier = verifierOf();
    const flow = await oauth.openFlow();
    const granted = await flow.expectCode({ code_challenge: createChallenge(verifier) });
    expectToken(await flow.exchangeCode(granted, { code_verifier: verifier }));
  });
}

test(...rule('oauth.pkce.s256', 'two open authorization requests'), async ({ oauth }) => {
  const flow = await oauth.openFlow();
  for (const granted of [await flow.expectCode(), await flow.expectCode()]) expectToken(await flow.exchangeCode(granted));
});

for (const [variant, changes] of [
  ['neither challenge nor method', { code_challenge: undefined, code_challenge_method: undefined }],
  ['only the method', { code_challenge: undefined }],
] as const) {
  for (const [exchange, exchangeChanges] of [
    ['with a code_verifier', {}],
    ['without a code_verifier', { code_verifier: undefined }],
  ] as const) {
    test(...rule('oauth.pkce.required', `${variant}, exchange ${exchange}`), async ({ oauth }) => {
      const flow = await oauth.openVerifiedFlow();
      await flow.expectRefusal(await flow.authorize(changes), exchangeChanges);
    });
  }
}

for (const [variant, method, toChallenge] of [
  ['the method plain', 'plain', (verifier: string) => verifier],
  ['no method, and the verifier as the challenge', undefined, (verifier: string) => verifier],
  ["no method, and the verifier's S256 challenge", undefined, createChallenge],
] as const) {
  test(...rule('oauth.pkce.plain', variant), async ({ oauth }) => {
    const flow = await oauth.openVerifiedFlow();
    const verifier = createVerifier();
    const authorization = await flow.authorize({ code_challenge: toChallenge(verifier), code_challenge_method: method });
    await flow.expectRefusal(authorization, { code_verifier: verifier });
  });
}

const createVerifierWith = (character: string): string => `${createVerifierOfLength(30)}${character}${createVerifierOfLength(30)}`;

for (const [id, variant, verifierOf] of [
  ...[42, 129, 1].map((length) => ['oauth.pkce.verifier-length', length, () => createVerifierOfLength(length)] as const),
  ...['!', '/', '+', 'é'].map((sign) => ['oauth.pkce.verifier-alphabet', sign, () => createVerifierWith(sign)] as const),
  ['oauth.pkce.verifier-alphabet', 'a space', () => createVerifierWith(' ')] as const,
]) {
  test(...rule(id, variant), async ({ oauth }) => {
    const flow = await oauth.openVerifiedFlow();
    const verifier = verifierOf();
    await flow.expectRefusal(await flow.authorize({ code_challenge: createChallenge(verifier) }), { code_verifier: verifier });
  });
}

const replaceLastCharacter = (verifier: string): string => `${verifier.slice(0, -1)}${verifier.endsWith('A') ? 'B' : 'A'}`;

for (const [id, variant, change] of [
  ['oauth.pkce.verifier-missing', undefined, () => undefined],
  ['oauth.pkce.verifier-wrong', 'another verifier', createVerifier],
  ['oauth.pkce.verifier-wrong', 'a different last character', replaceLastCharacter],
  ['oauth.pkce.verifier-wrong', 'the challenge instead of the verifier', createChallenge],
] as const) {
  test(...rule(id, variant), async ({ oauth }) => {
    const flow = await oauth.openVerifiedFlow();
    const granted = await flow.requestCode();
    expectNoToken(await flow.exchangeCode(granted, { code_verifier: change(granted.verifier) }));
  });
}
