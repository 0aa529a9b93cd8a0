import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tokenWorld } from './testing/world-tokens.ts';
import { createTokenCache } from './token-cache.ts';

test('a full cache drops an entry that was not used recently', () => {
  const cache = createTokenCache<{ n: number }>({ entries: 2, characters: 100 });
  cache.set('a', { n: 1 });
  cache.set('b', { n: 2 });
  cache.get('a');
  cache.set('c', { n: 3 });
  assert.deepEqual([cache.get('a')?.n, cache.get('b')?.n, cache.get('c')?.n], [1, undefined, 3]);
});

test('both limits hold after any sequence of uses', () => {
  const use = fc.tuple(fc.boolean(), fc.string({ maxLength: 12 }));
  fc.assert(
    fc.property(fc.array(use, { maxLength: 60 }), (uses) => {
      const cache = createTokenCache<{ text: string }>({ entries: 5, characters: 30 });
      for (const [write, text] of uses) {
        if (write) cache.set(text, { text });
        else assert.ok([undefined, text].includes(cache.get(text)?.text));
        assert.ok(cache.size <= 5 && cache.characters <= 30 && cache.characters >= 0);
      }
    }),
  );
});

test('a text over the limit, or any text in a cache without entries, is not kept', () => {
  for (const limits of [
    { entries: 5, characters: 3 },
    { entries: 0, characters: 9 },
  ]) {
    const cache = createTokenCache<object>(limits);
    cache.set('abcd', {});
    assert.deepEqual([cache.size, cache.characters, cache.get('abcd')], [0, 0, undefined]);
  }
});

test('a verifier remembers a limited number of good tokens', async () => {
  const { mint, verifier } = tokenWorld('demo', { cacheSize: 3 });
  const tokens = Array.from({ length: 5 }, () => mint());
  for (const token of tokens) await verifier.verify(token);
  assert.deepEqual(verifier.remembered, { good: 3, bad: 0 });
  assert.ok(verifier.verify(tokens[0]!) instanceof Promise);
  assert.ok(!(verifier.verify(tokens[4]!) instanceof Promise));
});

test('a verifier remembers a limited number of bad tokens, which do not displace good ones', async () => {
  const { mint, verifier } = tokenWorld();
  const good = mint();
  await verifier.verify(good);
  const body = 'a'.repeat(4096);
  for (let i = 0; i < 1200; i++) await verifier.verify(`${body}.${i}.`);
  assert.ok(verifier.remembered.bad > 0 && verifier.remembered.bad <= (1024 * 1024) / body.length);
  assert.ok(!(verifier.verify(good) instanceof Promise));
});
