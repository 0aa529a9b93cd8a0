import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKit, type Kit } from '../../kit.ts';
import { createDatabase } from '../../store/testing/postgres.ts';
import { ASSERTION_TYPE, createAssertion, createFlow, readUser, type TokenResponse } from '../../testing/oauth-flow.ts';

const CONCURRENT_REQUESTS = 100;

/** Two kits share a public URL, so that clients see one authorization server. */
const KIT_STARTERS: Readonly<Record<string, () => Promise<Kit[]>>> = {
  'two replicas on PostgreSQL': async () => {
    const database = await createDatabase();
    const settings = { port: 0, database, publicUrl: 'http://auth.test' };
    return [await createKit(settings), await createKit(settings)];
  },
  SQLite: async () => [await createKit({ port: 0, publicUrl: 'http://auth.test' })],
};

for (const [place, open] of Object.entries(KIT_STARTERS)) {
  describe(`concurrent requests, ${place}`, () => {
    let kits: Kit[];
    let clients: ReturnType<typeof createFlow>[];
    let signers: ReturnType<typeof createFlow>[];
    before(async () => {
      kits = await open();
      const addresses = kits.map(({ port }) => `http://127.0.0.1:${port}/auth`);
      clients = addresses.map((address) => createFlow(address));
      signers = addresses.map((address) => createFlow(address, 'acme-signer'));
    });
    after(() => Promise.all(kits.map((kit) => kit.close())));

    const sendConcurrently = (send: (index: number) => Promise<TokenResponse>): Promise<TokenResponse[]> =>
      Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, (_, index) => send(index)));
    function expectOneSuccess(answers: readonly TokenResponse[], error: string): TokenResponse {
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      assert.ok(won && more.length === 0, `${more.length + (won ? 1 : 0)} of ${answers.length} succeeded`);
      for (const { status, body } of answers) if (status !== 200) assert.equal(body.error, error, JSON.stringify(body));
      return won;
    }
    const selectByIndex = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
    const readAt = (index: number, token: unknown) => readUser(`http://127.0.0.1:${selectByIndex(kits, index).port}`, token);

    test(`if a code is exchanged ${CONCURRENT_REQUESTS} times at once, one exchange succeeds, and then its tokens are revoked`, async () => {
      const [first] = clients;
      const code = await first!.obtainAuthorizationCode();
      const { verifier } = first!;
      const won = expectOneSuccess(
        await sendConcurrently((index) => selectByIndex(clients, index).exchange(code, { code_verifier: verifier })),
        'invalid_grant',
      );
      for (const index of [0, 1]) assert.equal(await readAt(index, won.body.access_token), 401);
      assert.equal((await first!.refresh(won.body.refresh_token)).body.error, 'invalid_grant');
    });

    test(`if a refresh token is used ${CONCURRENT_REQUESTS} times at once, one use succeeds, and then all of the grant's tokens are revoked`, async () => {
      const [first] = clients;
      const tokens = await first!.obtainTokens();
      // Make both replicas cache the token, to test that the revocation also updates the caches.
      for (const index of [0, 1]) assert.equal(await readAt(index, tokens.access_token), 200);
      const won = expectOneSuccess(
        await sendConcurrently((index) => selectByIndex(clients, index).refresh(tokens.refresh_token)),
        'invalid_grant',
      );
      for (const token of [tokens.access_token, won.body.access_token]) assert.equal(await readAt(1, token), 401);
      assert.equal((await selectByIndex(clients, 1).refresh(won.body.refresh_token)).body.error, 'invalid_grant');
    });

    test('a code or refresh token with a NUL character is refused with invalid_grant', async () => {
      const [client] = clients;
      for (const { status, body } of [await client!.exchange('a\0b', { code_verifier: client!.verifier }), await client!.refresh('a\0b')])
        assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    });

    test(`if a client assertion is used ${CONCURRENT_REQUESTS} times at once, exactly one use succeeds`, async () => {
      const assertion = await createAssertion('acme-signer', 'http://auth.test/auth/oauth/token');
      const codes: { code: string; verifier: string }[] = [];
      for (let i = 0; i < CONCURRENT_REQUESTS; i++)
        codes.push({ code: await signers[0]!.obtainAuthorizationCode(), verifier: signers[0]!.verifier });
      const answers = await sendConcurrently((index) => {
        const { code, verifier } = codes[index]!;
        const proof = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
        return selectByIndex(signers, index).exchange(code, { ...proof, code_verifier: verifier });
      });
      expectOneSuccess(answers, 'invalid_client');
    });

    test('a code from one replica can be exchanged at another replica, and the first replica accepts the token', async () => {
      const code = await clients[0]!.obtainAuthorizationCode();
      const { status, body } = await selectByIndex(clients, 1).exchange(code, { code_verifier: clients[0]!.verifier });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(await readAt(0, body.access_token), 200);
    });
  });
}
