import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blame } from './blame.ts';

const TURNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Fails with all of these turns, by what fails. */
function failsWith(causes: Readonly<Record<string, readonly string[]>>) {
  const tried: string[] = [];
  return {
    tried,
    fails: async (turns: readonly string[], failing: readonly string[]) => {
      tried.push(turns.join(''));
      return failing.filter((each) => causes[each]?.every((turn) => turns.includes(turn)));
    },
  };
}

test('each failure is blamed on the one turn without which it does not happen', async () => {
  const { fails } = failsWith({ first: ['e'], second: ['a'], third: ['e'] });
  assert.deepEqual(await blame(TURNS, ['first', 'second', 'third'], fails), [
    { failing: 'second', turns: ['a'] },
    { failing: 'first', turns: ['e'] },
    { failing: 'third', turns: ['e'] },
  ]);
});

test('a failure that takes two turns is blamed on the fewest that were tried with both', async () => {
  const { fails } = failsWith({ first: ['a', 'b'], second: ['a', 'g'] });
  assert.deepEqual(await blame(TURNS, ['first', 'second'], fails), [
    { failing: 'first', turns: ['a', 'b'] },
    { failing: 'second', turns: TURNS },
  ]);
});

test('only what fails in a half is tried with the halves of it', async () => {
  const { fails, tried } = failsWith({ first: ['a'] });
  await blame(TURNS, ['first'], fails);
  assert.deepEqual(tried, ['abcd', 'ab', 'a']);
});
