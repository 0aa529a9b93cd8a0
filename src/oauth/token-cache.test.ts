import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTokenCache } from './token-cache.ts';

test('one that was not used of late goes first', () => {
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

test('a text longer than all the characters allowed is not kept', () => {
  const cache = createTokenCache<object>({ entries: 5, characters: 3 });
  cache.set('abcd', {});
  assert.deepEqual([cache.size, cache.characters, cache.get('abcd')], [0, 0, undefined]);
});

test('no entries allowed, none kept', () => {
  const cache = createTokenCache<object>({ entries: 0, characters: 3 });
  cache.set('a', {});
  assert.equal(cache.size, 0);
});
