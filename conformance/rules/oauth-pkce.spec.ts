import { randomBytes } from 'node:crypto';
import { challengeOf, newVerifier } from '../actors/oauth-parameters.ts';
import { expectNoToken, expectToken } from '../expect/token.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const verifierOfLength = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);

/** A verifier whose challenge contains - and _, which base64 writes as + and /. */
function verifierWithSpecialChallenge(): string {
  for (;;) {
    const verifier = newVerifier();
    if (/-.*_|_.*-/.test(challengeOf(verifier))) return verifier;
  }
}

const S256 = 'A code requested with the S256 challenge of a verifier is exchanged with that verifier';
const LENGTHS = 'A code_verifier of 43 characters is accepted and so is one of 128';

for (const [id, title, verifierOf] of [
  ['oauth.pkce.s256', `${S256}: the one of RFC 7636.`, () => 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  ['oauth.pkce.s256', `${S256}: one whose challenge differs in base64 and base64url.`, verifierWithSpecialChallenge],
  ['oauth.pkce.s256', `${S256}: one with every special character.`, () => `${verifierOfLength(40)}-._~-._~`],
  ['oauth.pkce.verifier-lengths-accepted', `${LENGTHS}: 43.`, () => verifierOfLength(43)],
  ['oauth.pkce.verifier-lengths-accepted', `${LENGTHS}: 128.`, () => verifierOfLength(128)],
] as const) {
  test(title, rule(id), async ({ oauth }) => {
    const verifier = verifierOf();
    const flow = await oauth.flow();
    const granted = await flow.expectCode({ code_challenge: challengeOf(verifier) });
    expectToken(await flow.exchange(granted, { code_verifier: verifier }));
  });
}

for (const [variant, changes] of [
  ['neither challenge nor method', { code_challenge: undefined, code_challenge_method: undefined }],
  ['only the method', { code_challenge: undefined }],
] as const) {
  for (const [exchange, exchangeChanges] of [
    ['with a code_verifier', {}],
    ['without a code_verifier', { code_verifier: undefined }],
  ] as const) {
    test(
      `An authorization request without a code_challenge leads to no access token: ${variant}, exchange ${exchange}.`,
      rule('oauth.pkce.required'),
      async ({ oauth }) => {
        const flow = await oauth.proven();
        await flow.expectRefusal(await flow.authorize(changes), exchangeChanges);
      },
    );
  }
}

test(
  'An authorization request with the code_challenge_method plain leads to no access token, as only S256 is documented.',
  rule('oauth.pkce.plain'),
  async ({ oauth }) => {
    const flow = await oauth.proven();
    const verifier = newVerifier();
    const authorization = await flow.authorize({ code_challenge: verifier, code_challenge_method: 'plain' });
    await flow.expectRefusal(authorization, { code_verifier: verifier });
  },
);

const LENGTH = 'A code_verifier shorter than 43 or longer than 128 characters gets no access token, even if its challenge matches';
const ALPHABET = 'A code_verifier with characters that are not unreserved gets no access token, even if its challenge matches';
const verifierWith = (character: string): string => `${verifierOfLength(30)}${character}${verifierOfLength(30)}`;

for (const [id, title, verifierOf] of [
  ...[42, 129, 1].map((length) => ['oauth.pkce.verifier-length', `${LENGTH}: ${length}.`, () => verifierOfLength(length)] as const),
  ...['!', '/', '+', 'é'].map((sign) => ['oauth.pkce.verifier-alphabet', `${ALPHABET}: ${sign}.`, () => verifierWith(sign)] as const),
  ['oauth.pkce.verifier-alphabet', `${ALPHABET}: a space.`, () => verifierWith(' ')] as const,
]) {
  test(title, rule(id), async ({ oauth }) => {
    const flow = await oauth.proven();
    const verifier = verifierOf();
    await flow.expectRefusal(await flow.authorize({ code_challenge: challengeOf(verifier) }), { code_verifier: verifier });
  });
}

const WRONG = 'A code_verifier that does not match the challenge gets no access token (RFC 7636, section 4.6)';
const misspelled = (verifier: string): string => `${verifier.slice(0, -1)}${verifier.endsWith('A') ? 'B' : 'A'}`;

for (const [id, title, change] of [
  ['oauth.pkce.verifier-missing', 'A code requested with a challenge is not exchanged without its code_verifier.', () => undefined],
  ['oauth.pkce.verifier-wrong', `${WRONG}: another verifier.`, newVerifier],
  ['oauth.pkce.verifier-wrong', `${WRONG}: another last character.`, misspelled],
  ['oauth.pkce.verifier-wrong', `${WRONG}: the challenge.`, challengeOf],
] as const) {
  test(title, rule(id), async ({ oauth }) => {
    const flow = await oauth.proven();
    const granted = await flow.code();
    expectNoToken(await flow.exchange(granted, { code_verifier: change(granted.verifier) }));
  });
}
