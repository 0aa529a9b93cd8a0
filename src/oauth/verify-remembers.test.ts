import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenWorld } from './testing/world-tokens.ts';

test('only so many good tokens are remembered', async () => {
  const { mint, verifier } = tokenWorld('demo', { cacheSize: 3 });
  const tokens = Array.from({ length: 5 }, () => mint());
  for (const token of tokens) await verifier.verify(token);
  assert.deepEqual(verifier.remembered, { good: 3, bad: 0 });
  assert.ok(verifier.verify(tokens[0]!) instanceof Promise);
  assert.ok(!(verifier.verify(tokens[4]!) instanceof Promise));
});

test('only so many bad tokens are remembered, and good ones stay', async () => {
  const { mint, verifier } = tokenWorld();
  const good = mint();
  await verifier.verify(good);
  const body = 'a'.repeat(4096);
  for (let i = 0; i < 1200; i++) await verifier.verify(`${body}.${i}.`);
  assert.ok(verifier.remembered.bad > 0 && verifier.remembered.bad <= (1024 * 1024) / body.length);
  assert.ok(!(verifier.verify(good) instanceof Promise));
});
