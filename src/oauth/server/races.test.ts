import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKit, type Kit } from '../../kit.ts';
import { createDatabase } from '../../store/testing/postgres.ts';
import { ASSERTION_TYPE, assertionOf, flow, readUser, type TokenAnswer } from './testing/flow.ts';

const AT_ONCE = 100;

/**
 * For each database, a function that starts the kits of the test. Two kits share a public URL, so that clients see one authorization
 * server.
 */
const places: Readonly<Record<string, () => Promise<Kit[]>>> = {
  'two replicas on PostgreSQL': async () => {
    const database = await createDatabase();
    const settings = { port: 0, database, publicUrl: 'http://auth.test' };
    return [await createKit(settings), await createKit(settings)];
  },
  SQLite: async () => [await createKit({ port: 0, publicUrl: 'http://auth.test' })],
};

for (const [place, open] of Object.entries(places)) {
  describe(`concurrent requests, ${place}`, () => {
    let kits: Kit[];
    let clients: ReturnType<typeof flow>[];
    let signers: ReturnType<typeof flow>[];
    before(async () => {
      kits = await open();
      const addresses = kits.map(({ port }) => `http://127.0.0.1:${port}/auth`);
      clients = addresses.map((address) => flow(address));
      signers = addresses.map((address) => flow(address, 'acme-signer'));
    });
    after(() => Promise.all(kits.map((kit) => kit.close())));

    /** Sends `AT_ONCE` concurrent requests, alternately to each kit. @param send sends the request with this index */
    const race = (send: (index: number) => Promise<TokenAnswer>): Promise<TokenAnswer[]> =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(index)));
    /** Asserts that exactly one response is a success, and that all other responses have the given error. @returns the success */
    function onlyOne(answers: readonly TokenAnswer[], error: string): TokenAnswer {
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      assert.ok(won && more.length === 0, `${more.length + (won ? 1 : 0)} of ${answers.length} succeeded`);
      for (const { status, body } of answers) if (status !== 200) assert.equal(body.error, error, JSON.stringify(body));
      return won;
    }
    const of = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
    const readAt = (index: number, token: unknown) => readUser(`http://127.0.0.1:${of(kits, index).port}`, token);

    test(`if a code is exchanged ${AT_ONCE} times at once, one exchange succeeds, and then the tokens of this exchange are revoked`, async () => {
      const [first] = clients;
      const code = await first!.code();
      const { verifier } = first!;
      const won = onlyOne(await race((index) => of(clients, index).exchange(code, { code_verifier: verifier })), 'invalid_grant');
      for (const index of [0, 1]) assert.equal(await readAt(index, won.body.access_token), 401);
      assert.equal((await first!.refresh(won.body.refresh_token)).body.error, 'invalid_grant');
    });

    test(`if a refresh token is used ${AT_ONCE} times at once, one use succeeds, and then all tokens of the grant are revoked`, async () => {
      const [first] = clients;
      const tokens = await first!.tokens();
      // These reads put the caller of the token in the cache of each replica. The revocation must also update the caches.
      for (const index of [0, 1]) assert.equal(await readAt(index, tokens.access_token), 200);
      const won = onlyOne(await race((index) => of(clients, index).refresh(tokens.refresh_token)), 'invalid_grant');
      for (const token of [tokens.access_token, won.body.access_token]) assert.equal(await readAt(1, token), 401);
      assert.equal((await of(clients, 1).refresh(won.body.refresh_token)).body.error, 'invalid_grant');
    });

    test('a code or refresh token with a NUL character is refused with invalid_grant', async () => {
      const [client] = clients;
      for (const { status, body } of [await client!.exchange('a\0b', { code_verifier: client!.verifier }), await client!.refresh('a\0b')])
        assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    });

    test(`if a client assertion is used ${AT_ONCE} times at once, exactly one use succeeds`, async () => {
      const assertion = await assertionOf('acme-signer', 'http://auth.test/auth/oauth/token');
      const codes: { code: string; verifier: string }[] = [];
      for (let i = 0; i < AT_ONCE; i++) codes.push({ code: await signers[0]!.code(), verifier: signers[0]!.verifier });
      const answers = await race((index) => {
        const { code, verifier } = codes[index]!;
        const proof = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
        return of(signers, index).exchange(code, { ...proof, code_verifier: verifier });
      });
      onlyOne(answers, 'invalid_client');
    });

    test('a code from one replica can be exchanged at another replica, and the first replica accepts the token', async () => {
      const code = await clients[0]!.code();
      const { status, body } = await of(clients, 1).exchange(code, { code_verifier: clients[0]!.verifier });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(await readAt(0, body.access_token), 200);
    });
  });
}
