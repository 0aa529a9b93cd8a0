import { randomUUID } from 'node:crypto';
import { noToken } from '../expect/oauth-judge.ts';
import { test } from '../runner/oauth-test.ts';
import { rule } from '../runner/rule.ts';

test('A code is exchanged once (RFC 6749, section 4.1.2).', rule('oauth.code.single-use'), async ({ oauth }) => {
  const flow = await oauth.flow();
  const { granted } = await flow.tokens();
  noToken(await flow.exchange(granted));
});

test(
  'A code is exchanged only by the client that it was issued to (RFC 6749, section 4.1.3).',
  rule('oauth.code.client'),
  async ({ oauth }) => {
    const [flow, other] = [await oauth.proven('secret'), await oauth.proven('key')];
    noToken(await other.exchange(await flow.code()));
  },
);

for (const [what, uriOf] of [
  ['another host', (uri: string) => `https://elsewhere.invalid${new URL(uri).pathname}`],
  ['a longer path', (uri: string) => `${uri}/elsewhere`],
] as const) {
  test(
    `A code is exchanged only with the redirect_uri of its authorization request (RFC 6749, section 4.1.3): ${what}.`,
    rule('oauth.code.redirect-uri'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      noToken(await flow.exchange(await flow.code(), { redirect_uri: uriOf(flow.client.redirectUri) }));
    },
  );
}

for (const [what, unknown] of [
  ['a UUID', () => randomUUID()],
  ['a letter of another', (code: string) => `${code.slice(0, -1)}${code.endsWith('a') ? 'b' : 'a'}`],
] as const) {
  test(
    `A code that was never issued gets no access token (RFC 6749, section 5.2): ${what}.`,
    rule('oauth.code.unknown'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      const granted = await flow.code();
      noToken(await flow.exchange(granted, { code: unknown(granted.code) }));
    },
  );
}
