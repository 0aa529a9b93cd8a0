import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { isFailure } from '../contract/failure.ts';
import type { KeptToken } from '../store/meta.ts';
import { READY_TOKENS_EXPIRE, readyTokens } from './ready-tokens.ts';
import { authorityOf, CLIENT, PRINCIPAL, START, tokenWorld } from './testing/world-tokens.ts';

const EPOCH = Date.UTC(2026, 0, 1);
const full: KeptToken = { clientId: CLIENT, principalId: PRINCIPAL, scopes: ['users:manage', 'experience-assignability:check'] };
const worldTokens: Record<string, KeptToken> = { full, 'no principal': { clientId: CLIENT, scopes: ['users:manage'] }, __proto: full };

test('two authorities of one world make the same texts, byte for byte', () => {
  const [one, two] = [readyTokens(authorityOf('demo'), EPOCH, worldTokens), readyTokens(authorityOf('demo'), EPOCH, worldTokens)];
  assert.deepEqual([...one], [...two]);
  assert.deepEqual([...one.keys()], Object.keys(worldTokens));
});

test('the text of a ready token never changes: people have it in their .env', () => {
  const text = readyTokens(authorityOf('demo'), EPOCH, { full }).get('full')!;
  assert.equal(createHash('sha256').update(text).digest('hex'), '27df72e2bde5401956b3c4c8a0417af2d0a60532fb3591d432bdf2f8c082db87');
});

test('the order of scopes does not change the text', () => {
  const turned = { ...full, scopes: full.scopes.toReversed() };
  assert.deepEqual(readyTokens(authorityOf('demo'), EPOCH, { full: turned }), readyTokens(authorityOf('demo'), EPOCH, { full }));
});

test('tokens of different names or worlds have different texts', () => {
  const texts = ['demo', 'other'].flatMap((world) => [...readyTokens(authorityOf(world), EPOCH, { a: full, b: full }).values()]);
  assert.equal(new Set(texts).size, 4);
});

test('ready tokens are verified until 2036, whatever the epoch', async () => {
  for (const epoch of [EPOCH, Date.parse('2001-02-03T04:05:06.789Z'), Date.UTC(2040, 0, 1)]) {
    const { authority, verifier, clock } = tokenWorld();
    const text = readyTokens(authority, epoch, { full }).get('full')!;
    const token = await verifier.verify(text);
    assert.ok(!isFailure(token));
    assert.equal(token.expiresAt, READY_TOKENS_EXPIRE);
    clock.load(clock.offset + READY_TOKENS_EXPIRE - START);
    assert.ok(isFailure(await verifier.verify(text)));
  }
});
