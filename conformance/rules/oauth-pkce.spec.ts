import { randomBytes } from 'node:crypto';
import { challengeOf, newVerifier } from '../actors/oauth-parts.ts';
import { mustHaveCode, mustHaveToken, noToken, refusedAtEither } from '../expect/oauth-judge.ts';
import { test } from '../runner/oauth-test.ts';
import { rule } from '../runner/rule.ts';

const ofLength = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);

/** A verifier whose challenge holds what base64url writes otherwise than base64. */
function telling(): string {
  for (;;) {
    const verifier = newVerifier();
    if (/-.*_|_.*-/.test(challengeOf(verifier))) return verifier;
  }
}

for (const [what, sent] of [
  ['neither is there', { code_challenge: undefined, code_challenge_method: undefined }],
  ['the method is', { code_challenge: undefined }],
] as const) {
  for (const verifier of ['with', 'without'] as const) {
    test(
      `No access token comes of an authorization request without a code_challenge: ${what}, ${verifier} a code_verifier.`,
      rule('oauth.pkce.required'),
      async ({ oauth }) => {
        const flow = await oauth.proven();
        await refusedAtEither(flow, await flow.ask(sent), verifier === 'with' ? {} : { code_verifier: undefined });
      },
    );
  }
}

for (const [what, verifierOf] of [
  ['of RFC 7636', () => 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  ['whose challenge is not that of base64', telling],
  ['of every sign', () => `${ofLength(40)}-._~-._~`],
] as const) {
  test(
    `A code that was asked for with the S256 challenge of a verifier is exchanged with that verifier: base64url of its SHA-256: one ${what}.`,
    rule('oauth.pkce.s256'),
    async ({ oauth }) => {
      const verifier = verifierOf();
      const flow = await oauth.flow();
      const granted = await flow.ask({ code_challenge: challengeOf(verifier) });
      mustHaveCode(granted);
      mustHaveToken(await flow.exchange(granted, { code_verifier: verifier }));
    },
  );
}

test(
  'No access token comes of an authorization request whose code_challenge_method is plain, as S256 is the one that is shown.',
  rule('oauth.pkce.plain'),
  async ({ oauth }) => {
    const flow = await oauth.proven();
    const verifier = newVerifier();
    const asked = await flow.ask({ code_challenge: verifier, code_challenge_method: 'plain' });
    await refusedAtEither(flow, asked, { code_verifier: verifier });
  },
);

for (const length of [42, 129, 1]) {
  test(
    `A code_verifier shorter than 43 or longer than 128 characters gets no access token, even if its challenge matches: ${length}.`,
    rule('oauth.pkce.verifier-length'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      const verifier = ofLength(length);
      await refusedAtEither(flow, await flow.ask({ code_challenge: challengeOf(verifier) }), { code_verifier: verifier });
    },
  );
}

for (const sign of ['!', '/', '+', ' ', 'é']) {
  test(
    `A code_verifier with characters that are not unreserved gets no access token, even if its challenge matches: ${sign === ' ' ? 'a space' : sign}.`,
    rule('oauth.pkce.verifier-alphabet'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      const verifier = `${ofLength(30)}${sign}${ofLength(30)}`;
      await refusedAtEither(flow, await flow.ask({ code_challenge: challengeOf(verifier) }), { code_verifier: verifier });
    },
  );
}

for (const length of [43, 128]) {
  test(
    `A code_verifier of 43 characters is accepted and so is one of 128: ${length}.`,
    rule('oauth.pkce.verifier-lengths-accepted'),
    async ({ oauth }) => {
      const flow = await oauth.flow();
      const verifier = ofLength(length);
      const granted = await flow.ask({ code_challenge: challengeOf(verifier) });
      mustHaveCode(granted);
      mustHaveToken(await flow.exchange(granted, { code_verifier: verifier }));
    },
  );
}

test(
  'A code that was asked for with a challenge is not exchanged without its code_verifier.',
  rule('oauth.pkce.verifier-missing'),
  async ({ oauth }) => {
    const flow = await oauth.proven();
    noToken(await flow.exchange(await flow.code(), { code_verifier: undefined }));
  },
);

for (const [what, wrong] of [
  ['another', () => newVerifier()],
  ['one letter', (right: string) => `${right.slice(0, -1)}${right.endsWith('A') ? 'B' : 'A'}`],
  ['the challenge', challengeOf],
] as const) {
  test(
    `A code_verifier that does not match the challenge gets no access token (RFC 7636, section 4.6): ${what}.`,
    rule('oauth.pkce.verifier-wrong'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      const granted = await flow.code();
      noToken(await flow.exchange(granted, { code_verifier: wrong(granted.verifier) }));
    },
  );
}
