import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { isFailure } from '../contract/failure.ts';
import type { TokenKind } from '../contract/generated/control.ts';
import { NOT_YET_VALID_FOR } from './mint.ts';
import type { TokenRule } from './rejected-token.ts';
import { CLIENT, PRINCIPAL, START, tokenWorld } from './testing/world-tokens.ts';

/** What becomes of each kind. Three are good as far as a signature goes; that their client or principal is not there is for the service to see. */
const fates: Record<TokenKind, 'verified' | [TokenRule, RegExp]> = {
  good: 'verified',
  expired: ['auth.token.expired', /has expired/],
  'not-yet-valid': ['auth.token.invalid', /not valid yet/],
  'wrong-signature': ['auth.token.invalid', /not by this world's key/],
  'alg-none': ['auth.token.invalid', /another algorithm/],
  'wrong-algorithm': ['auth.token.invalid', /another algorithm/],
  'wrong-issuer': ['auth.token.invalid', /another issuer/],
  'wrong-audience': ['auth.token.invalid', /another audience/],
  'no-expiry': ['auth.token.invalid', /lacks the claim exp/],
  'no-client': ['auth.token.invalid', /lacks the claim client_id/],
  'unknown-client': 'verified',
  'unknown-principal': 'verified',
  'no-principal': 'verified',
  'malformed-claims': ['auth.token.invalid', /claim client_id is not/],
  truncated: ['auth.token.invalid', /has not 64 bytes/],
  'not-a-jwt': ['auth.token.invalid', /not a JWT/],
};

for (const [kind, fate] of Object.entries(fates) as [TokenKind, (typeof fates)[TokenKind]][]) {
  const outcome = fate === 'verified' ? 'verified' : `refused by ${fate[0]}`;
  test(`a token of the kind ${kind} is ${outcome}, at first sight and again`, async () => {
    const { mint, verifier } = tokenWorld();
    const token = mint({ kind });
    for (let i = 0; i < 2; i++) {
      const result = await verifier.verify(token);
      assert.equal(isFailure(result) ? result.reason : 'verified', fate === 'verified' ? fate : fate[0]);
      if (isFailure(result)) assert.match(result.detail, fate[1] as RegExp);
    }
  });
}

test('a good token is a JWT of the access token profile', () => {
  const { mint, authority } = tokenWorld();
  const token = mint({ id: 'the-id', scopes: ['users:manage', 'offline_access'] });
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'EdDSA', typ: 'at+jwt', kid: authority.key.kid });
  assert.deepEqual(decodeJwt(token), {
    iss: authority.issuer,
    aud: authority.audience,
    sub: PRINCIPAL,
    client_id: CLIENT,
    scope: 'users:manage offline_access',
    iat: Math.floor(START / 1000),
    exp: START / 1000 + 3600,
    jti: 'the-id',
    'urn:example:claims:principal_id': PRINCIPAL,
  });
});

test("a token without a principal is its client's own and has no principal claim", () => {
  const claims = decodeJwt(tokenWorld().mint({ principalId: undefined }));
  assert.equal(claims.sub, CLIENT);
  assert.equal('urn:example:claims:principal_id' in claims, false);
});

test('the kind no-principal drops the principal that was asked for', () => {
  assert.equal('urn:example:claims:principal_id' in decodeJwt(tokenWorld().mint({ kind: 'no-principal' })), false);
});

test('the kinds unknown-client and unknown-principal name someone else, the same each time', async () => {
  const { mint } = tokenWorld();
  const [client, again] = [decodeJwt(mint({ kind: 'unknown-client' })), decodeJwt(mint({ kind: 'unknown-client' }))];
  assert.notEqual(client.client_id, CLIENT);
  assert.equal(client.client_id, again.client_id);
  const principal = decodeJwt(mint({ kind: 'unknown-principal', principalId: undefined }));
  assert.ok(principal['urn:example:claims:principal_id']);
  assert.notEqual(principal['urn:example:claims:principal_id'], PRINCIPAL);
});

test('tokens that are given no id have different ones', () => {
  const { mint } = tokenWorld();
  assert.notEqual(mint(), mint());
});

test('a token that is not valid yet becomes so', async () => {
  const { mint, verifier, clock } = tokenWorld();
  const token = mint({ kind: 'not-yet-valid', expiresIn: 60 });
  assert.ok(isFailure(await verifier.verify(token)));
  clock.load(clock.offset + NOT_YET_VALID_FOR * 1000);
  assert.ok(!isFailure(await verifier.verify(token)));
  clock.load(clock.offset + 60_000);
  assert.deepEqual(((await verifier.verify(token)) as { reason?: string }).reason, 'auth.token.expired');
});
