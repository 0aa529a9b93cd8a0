import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFailure } from '../contract/failure.ts';
import { CLIENT_ID, createMinterAndVerifier, fingerprint, PRINCIPAL_ID, START_MS } from './testing/world-tokens.ts';
import { MAX_TOKEN_LENGTH, type Verification, type Verifier } from './verify.ts';

const getRule = (result: Verification) => (isFailure(result) ? result.reason : 'verified');

async function assertRefused(verifier: Verifier, token: string, why: RegExp): Promise<void> {
  const result = await verifier.verify(token);
  assert.equal(getRule(result), 'auth.token.invalid');
  assert.match((result as { detail: string }).detail, why);
}

test("the verification result has the token's id, grant, client, principal, scopes and expiry", async () => {
  const { mint, verifier } = createMinterAndVerifier();
  const token = mint({ id: 'the-id', scopes: ['users:manage', 'offline_access'] });
  assert.deepEqual(await verifier.verify(token), {
    id: 'the-id',
    fingerprint: fingerprint(token),
    grantId: undefined,
    clientId: CLIENT_ID,
    principalId: PRINCIPAL_ID,
    scopes: new Set(['users:manage', 'offline_access']),
    expiresAt: START_MS + 3_600_000,
  });
  const granted = await verifier.verify(mint({ id: 'grant:the-grant:the-id', principalId: undefined, scopes: [] }));
  assert.ok(!isFailure(granted));
  assert.deepEqual([granted.grantId, granted.principalId, granted.scopes.size], ['the-grant', undefined, 0]);
});

test('the first verification of a token returns a promise, and the second verification returns the result directly', async () => {
  const { mint, verifier } = createMinterAndVerifier();
  const token = mint();
  const first = verifier.verify(token);
  assert.ok(first instanceof Promise);
  const verified = await first;
  assert.equal(verifier.verify(token), verified);
});

for (const seen of [false, true]) {
  test(`a token ${seen ? 'verified before' : 'never verified before'} is valid for exactly expires_in seconds`, async () => {
    const { mint, verifier, clock } = createMinterAndVerifier();
    const [early, late] = [mint({ expiresIn: 10 }), mint({ expiresIn: 10 })];
    if (seen) await Promise.all([verifier.verify(early), verifier.verify(late)]);
    clock.setOffset(clock.offset + 9_999);
    assert.equal(getRule(await verifier.verify(early)), 'verified');
    clock.setOffset(clock.offset + 1);
    assert.equal(getRule(await verifier.verify(late)), 'auth.token.expired');
  });
}

test("each verification compares a token's times with the clock, even if the token is cached and the clock is set back", async () => {
  const { sign, claims, verifier, clock } = createMinterAndVerifier();
  const nbf = Math.ceil(START_MS / 1000) + 5;
  const [seen, unseen] = [await sign(claims({ nbf, jti: 'seen' })), await sign(claims({ nbf, jti: 'unseen' }))];
  clock.setOffset(clock.offset + 10_000);
  assert.equal(getRule(await verifier.verify(seen)), 'verified');
  clock.setOffset(clock.offset + 3_600_000);
  for (const token of [seen, unseen]) assert.equal(getRule(await verifier.verify(token)), 'auth.token.expired');
  clock.setOffset(0);
  for (const token of [seen, unseen]) await assertRefused(verifier, token, /not valid yet/);
});

test("a token's issuer must be the world's issuer, or the address of any kit's authorization server", async () => {
  const { sign, claims, verifier } = createMinterAndVerifier();
  for (const iss of ['http://127.0.0.1:4010/auth', 'http://localhost:1/auth', 'https://kit.test/xpk/auth']) {
    assert.equal(getRule(await verifier.verify(await sign(claims({ iss })))), 'verified', iss);
  }
  for (const iss of ['http://127.0.0.1:4010', 'https://kit.test/auth/', 'https://kit.test/?/auth', 'kit.test/auth', 'https:///auth']) {
    await assertRefused(verifier, await sign(claims({ iss })), /issuer \(iss\)/);
  }
});

test('a token with the principal in a different claim has no principal', async () => {
  const { mint, verifier } = createMinterAndVerifier('demo', { principalClaim: 'urn:acme:claims:principal_id' });
  assert.equal(((await verifier.verify(mint())) as { principalId?: string }).principalId, undefined);
});

test('a token is refused if a required claim is missing or a claim has the wrong type', async () => {
  const { sign, claims, verifier } = createMinterAndVerifier();
  for (const claim of ['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti']) {
    await assertRefused(verifier, await sign(claims({ [claim]: undefined })), new RegExp(`lacks the claim ${claim}`));
    for (const invalid of [null, {}, [], true, ''])
      await assertRefused(verifier, await sign(claims({ [claim]: invalid })), new RegExp(`\\b${claim}\\b`));
  }
  for (const claim of ['sub', 'client_id', 'jti', 'scope', 'urn:example:claims:principal_id']) {
    await assertRefused(verifier, await sign(claims({ [claim]: 42 })), new RegExp(`claim ${claim}`));
  }
  for (const scope of [['users:manage'], 'a  b', ' a', '']) await assertRefused(verifier, await sign(claims({ scope })), /claim scope/);
  for (const nbf of ['0', null]) await assertRefused(verifier, await sign(claims({ nbf })), /claim nbf/);
});

test('a token is refused if its `exp` is infinite or its `typ` is not at+jwt', async () => {
  const { sign, claims, verifier } = createMinterAndVerifier();
  await assertRefused(verifier, await sign(claims({ exp: 0 }).replace('"exp":0', '"exp":1e999')), /exp is not an instant/);
  for (const typ of ['JWT', 'dpop+jwt', undefined, 42]) await assertRefused(verifier, await sign(claims(), { typ }), /type \(typ\)/);
});

test('a payload that is not a JSON object is refused', async () => {
  const { sign, verifier } = createMinterAndVerifier();
  for (const payload of ['', '[]', 'null', '{', new Uint8Array([0x7b, 0xff, 0x7d])])
    await assertRefused(verifier, await sign(payload), /cannot be read/);
});

test('a string that is not a signed JWT is refused', async () => {
  const { mint, verifier } = createMinterAndVerifier();
  const token = mint();
  for (const text of ['', 'abc', 'a.b', 'a.b.c.d', 'a.b.c.d.e', `${token} `, `${token}\n`, `é${token}`])
    await assertRefused(verifier, text, /cannot be read|this world's key|canonical/);
  await assertRefused(verifier, 'a'.repeat(MAX_TOKEN_LENGTH + 1), /longer than 8192/);
});

test('a token is refused if its signature is not canonical base64url', async () => {
  const { mint, verifier } = createMinterAndVerifier();
  const token = mint();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1)!);
  assert.equal(last % 16, 0);
  for (let spare = 1; spare < 16; spare++) await assertRefused(verifier, token.slice(0, -1) + alphabet[last + spare], /canonical/);
});

test('a good token is refused if any single character is changed', async () => {
  const { mint, verifier } = createMinterAndVerifier();
  const token = mint();
  const piece = fc.string({ unit: fc.constantFrom(...'ABCXYZabcxyz0189-_.=+/ é'), maxLength: 3 });
  const mutation = fc
    .tuple(fc.nat(token.length), fc.nat(3), piece)
    .map(([at, cut, put]) => token.slice(0, at) + put + token.slice(at + cut));
  await fc.assert(
    fc.asyncProperty(mutation, async (mutant) => {
      fc.pre(mutant !== token);
      assert.equal(getRule(await verifier.verify(mutant)), 'auth.token.invalid');
    }),
    { numRuns: 1000 },
  );
});

test("a refusal's detail contains nothing from the token, whether signed or unsigned", async () => {
  const { sign, verifier } = createMinterAndVerifier();
  const secrets = { iss: 'SECRET', aud: 'SECRET', sub: 'SECRET', jti: 'SECRET', client_id: 'SECRET', exp: 1, iat: 1 };
  const header = Buffer.from(JSON.stringify({ alg: 'SECRET', crit: ['SECRET'] })).toString('base64url');
  for (const token of [await sign(JSON.stringify(secrets)), `${header}.SECRET.SECRET`, 'SECRET']) {
    const result = await verifier.verify(token);
    assert.equal(getRule(result), 'auth.token.invalid');
    assert.doesNotMatch(JSON.stringify(result), /SECRET/);
  }
});

test('a signature made with another key is refused, whatever the token header contains', async () => {
  const { verifier, claims, authority } = createMinterAndVerifier();
  const stranger = createMinterAndVerifier('other');
  for (const header of [{ jwk: stranger.authority.key.publicJwk }, { kid: authority.key.kid }])
    await assertRefused(verifier, await stranger.sign(claims(), header), /from another world/);
});
