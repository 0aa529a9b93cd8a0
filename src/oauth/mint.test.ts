import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose';
import { isFailure } from '../contract/failure.ts';
import type { TokenKind } from '../contract/generated/control.ts';
import type { WorldToken } from '../store/meta.ts';
import type { TokenRule } from './bearer.ts';
import { mintReadyMadeTokens, NOT_YET_VALID_SECONDS, READY_MADE_TOKENS_EXPIRE_AT_MS } from './mint.ts';
import { CLIENT_ID, createAuthority, createMinterAndVerifier, PRINCIPAL_ID, START_MS } from './testing/world-tokens.ts';

/** The verifier accepts unknown clients and principals. */
const EXPECTED_RESULTS: Record<TokenKind, 'verified' | [TokenRule, RegExp]> = {
  good: 'verified',
  expired: ['auth.token.expired', /has expired/],
  'not-yet-valid': ['auth.token.invalid', /not valid yet/],
  'wrong-signature': ['auth.token.invalid', /not made with this world's key/],
  'alg-none': ['auth.token.invalid', /must be EdDSA/],
  'wrong-algorithm': ['auth.token.invalid', /must be EdDSA/],
  'wrong-issuer': ['auth.token.invalid', /issuer \(iss\)/],
  'wrong-audience': ['auth.token.invalid', /audience \(aud\)/],
  'no-expiry': ['auth.token.invalid', /lacks the claim exp/],
  'no-client': ['auth.token.invalid', /lacks the claim client_id/],
  'unknown-client': 'verified',
  'unknown-principal': 'verified',
  'no-principal': 'verified',
  'malformed-claims': ['auth.token.invalid', /claim client_id is not/],
  truncated: ['auth.token.invalid', /not made with this world's key/],
  'not-a-jwt': ['auth.token.invalid', /not a JWT that was signed/],
};

for (const [kind, expected] of Object.entries(EXPECTED_RESULTS) as [TokenKind, (typeof EXPECTED_RESULTS)[TokenKind]][]) {
  const [rule, detail] = expected === 'verified' ? [expected, /./] : expected;
  test(`the first and second verification of a ${kind} token give ${rule}`, async () => {
    const { mint, verifier } = createMinterAndVerifier();
    const token = mint({ kind });
    for (let i = 0; i < 2; i++) {
      const result = await verifier.verify(token);
      assert.equal(isFailure(result) ? result.reason : 'verified', rule);
      if (isFailure(result)) assert.match(result.detail, detail);
    }
  });
}

test('a good token has the header and claims that the JWT access token profile requires', () => {
  const { mint, authority } = createMinterAndVerifier();
  const token = mint({ id: 'the-id', scopes: ['users:manage', 'offline_access'] });
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'EdDSA', typ: 'at+jwt', kid: authority.key.kid });
  assert.deepEqual(decodeJwt(token), {
    iss: authority.issuer,
    aud: authority.audience,
    sub: PRINCIPAL_ID,
    client_id: CLIENT_ID,
    scope: 'users:manage offline_access',
    iat: Math.floor(START_MS / 1000),
    exp: START_MS / 1000 + 3600,
    jti: 'the-id',
    'urn:example:claims:principal_id': PRINCIPAL_ID,
  });
});

test('a token without a principal has the client as its subject and no principal claim', () => {
  const { mint } = createMinterAndVerifier();
  const claims = decodeJwt(mint({ principalId: undefined }));
  assert.equal(claims.sub, CLIENT_ID);
  for (const payload of [claims, decodeJwt(mint({ kind: 'no-principal' }))])
    assert.equal('urn:example:claims:principal_id' in payload, false);
});

test('an unknown-client token contains another client id than requested, and an unknown-principal token contains another principal id', () => {
  const { mint } = createMinterAndVerifier();
  assert.notEqual(decodeJwt(mint({ kind: 'unknown-client' })).client_id, CLIENT_ID);
  const principal = decodeJwt(mint({ kind: 'unknown-principal', principalId: undefined }))['urn:example:claims:principal_id'];
  assert.ok(principal && principal !== PRINCIPAL_ID);
});

test("a world's published key has no private members, and its kid is the key's thumbprint", async () => {
  const { publicJwk } = createMinterAndVerifier().authority.key;
  assert.deepEqual(Object.keys(publicJwk).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  assert.equal(publicJwk.kid, await calculateJwkThumbprint({ ...publicJwk }));
});

test('a not-yet-valid token becomes valid after an hour, and its lifetime starts then', async () => {
  const { mint, verifier, clock } = createMinterAndVerifier();
  const token = mint({ kind: 'not-yet-valid', expiresIn: 60 });
  assert.ok(isFailure(await verifier.verify(token)));
  clock.setOffset(clock.offset + NOT_YET_VALID_SECONDS * 1000);
  assert.ok(!isFailure(await verifier.verify(token)));
  clock.setOffset(clock.offset + 60_000);
  assert.deepEqual(((await verifier.verify(token)) as { reason?: string }).reason, 'auth.token.expired');
});

const EPOCH = Date.UTC(2026, 0, 1);
const full: WorldToken = { clientId: CLIENT_ID, principalId: PRINCIPAL_ID, scopes: ['users:manage', 'experience-assignability:check'] };

test('a ready-made token never changes, because users store ready-made tokens in .env files', () => {
  const token = mintReadyMadeTokens(createAuthority('demo'), EPOCH, { full }).full!;
  assert.equal(createHash('sha256').update(token).digest('hex'), '27df72e2bde5401956b3c4c8a0417af2d0a60532fb3591d432bdf2f8c082db87');
  const reordered = { ...full, scopes: full.scopes.toReversed() };
  assert.deepEqual(mintReadyMadeTokens(createAuthority('demo'), EPOCH, { full: reordered }), { full: token });
});

test('ready-made tokens with different names, or from different worlds, are different', () => {
  const tokens = ['demo', 'other'].flatMap((world) =>
    Object.values(mintReadyMadeTokens(createAuthority(world), EPOCH, { a: full, ['__proto__']: full })),
  );
  assert.equal(new Set(tokens).size, 4);
});

test('ready-made tokens are valid until 2036, even if the world has another epoch', async () => {
  for (const epoch of [Date.parse('2001-02-03T04:05:06.789Z'), Date.UTC(2040, 0, 1)]) {
    const { authority, verifier } = createMinterAndVerifier();
    const token = await verifier.verify(mintReadyMadeTokens(authority, epoch, { full }).full!);
    assert.equal((token as { expiresAt?: number }).expiresAt, READY_MADE_TOKENS_EXPIRE_AT_MS);
  }
});
