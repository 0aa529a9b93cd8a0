import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTraces, OutOfReach } from './traces.ts';

function tracesOf() {
  const [said, removed]: [string[], string[]] = [[], []];
  const traces = createTraces((line) => said.push(line));
  const make = (name: string, remove: () => void = () => {}) =>
    traces.make(
      async () => name,
      async (made) => {
        remove();
        removed.push(made);
      },
      (made) => `the ${made}`,
    );
  return { traces, make, said, removed };
}

test('what was made is removed once, the last first', async () => {
  const { traces, make, said, removed } = tracesOf();
  for (const name of ['account', 'user', 'number']) await make(name);
  await traces.remove();
  await traces.remove();
  assert.deepEqual(removed, ['number', 'user', 'account']);
  assert.deepEqual(said, []);
});

test('what cannot be removed is told, and the rest is removed', async () => {
  const { traces, make, said, removed } = tracesOf();
  await make('account');
  await make('user', () => {
    throw new Error('no');
  });
  await traces.remove();
  assert.deepEqual(removed, ['account']);
  assert.deepEqual(said, ['left behind: the user (no)']);
});

test('where nothing can be removed any more, that is told once', async () => {
  const { traces, make, said } = tracesOf();
  for (const name of ['account', 'user', 'number']) {
    await make(name, () => {
      throw new OutOfReach('it is gone');
    });
  }
  await traces.remove();
  assert.deepEqual(said, ['left behind: the number and 2 more (it is gone)']);
});

test('what is being made when the end comes is removed, and nothing is made after it', async () => {
  const { traces, make, removed } = tracesOf();
  const { promise, resolve } = Promise.withResolvers<string>();
  const making = traces.make(
    () => promise,
    async (made) => void removed.push(made),
    (made) => made,
  );
  const end = traces.remove();
  resolve('late');
  await Promise.all([making, end]);
  assert.deepEqual(removed, ['late']);
  await assert.rejects(make('later'), /nothing is made any more/);
});
