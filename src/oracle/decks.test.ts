import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list } from '../refusals/hostile-value.ts';
import { Decks } from './decks.ts';

const LETTERS = ['a', 'b', 'c', 'd'];

test('each item is drawn once before one is drawn again', () => {
  const decks = new Decks(Math.random);
  for (let round = 0; round < 3; round += 1) assert.deepEqual(LETTERS.map(() => decks.draw('letters', LETTERS)).sort(), LETTERS);
});

test('two decks do not share their items', () => {
  const decks = new Decks(() => 0);
  assert.deepEqual([decks.draw('one', LETTERS), decks.draw('two', LETTERS), decks.draw('one', LETTERS)], ['a', 'a', 'b']);
});

test('an item is drawn as often as its weight says', () => {
  const decks = new Decks(Math.random);
  const drawn = Array.from({ length: 4 }, () => decks.drawWeighted('kinds', { often: 3, seldom: 1 }));
  assert.deepEqual(drawn.sort(), ['often', 'often', 'often', 'seldom']);
});

test('the values that follow each other have different flaws', () => {
  const decks = new Decks(Math.random);
  const values = [...list('is small', ...LETTERS), ...list('is large', 'A')];
  assert.equal([decks.drawValue('values', values), decks.drawValue('values', values)].filter((value) => value === 'A').length, 1);
});
