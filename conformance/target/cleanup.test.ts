import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCleanup, TargetUnreachable } from './cleanup.ts';

function createRecorder() {
  const [reported, removed]: [string[], string[]] = [[], []];
  const cleanup = createCleanup((line) => reported.push(line));
  const add = (name: string, fail: () => void = () => {}) =>
    cleanup.add(`the ${name}`, async () => {
      fail();
      removed.push(name);
    });
  return { cleanup, add, reported, removed };
}

const throwError = (error: Error) => () => {
  throw error;
};

test('cleanup removes everything once, in reverse order of creation', async () => {
  const { cleanup, add, reported, removed } = createRecorder();
  for (const name of ['account', 'user', 'number']) add(name);
  await cleanup.run();
  await cleanup.run();
  assert.deepEqual([removed, reported], [['number', 'user', 'account'], []]);
});

test('a failed removal is tried once more', async () => {
  const { cleanup, add, reported, removed } = createRecorder();
  let attempts = 0;
  add('user', () => {
    attempts += 1;
    if (attempts === 1) throw new Error('no');
  });
  await cleanup.run();
  assert.deepEqual([removed, reported], [['user'], []]);
});

test('an entity that cannot be removed is reported, and all other entities are removed', async () => {
  const { cleanup, add, reported, removed } = createRecorder();
  add('account');
  add('user', throwError(new Error('no')));
  await cleanup.run();
  assert.deepEqual([removed, reported], [['account'], ['left behind: the user (no)']]);
});

test('if the target becomes unreachable, one line reports all entities that were not removed', async () => {
  const { cleanup, add, reported } = createRecorder();
  for (const name of ['account', 'user', 'number']) add(name, throwError(new TargetUnreachable('connection refused')));
  await cleanup.run();
  assert.deepEqual(reported, ['left behind: the number and 2 more (connection refused)']);
});

test('cleanup waits until entities have been created before it removes them, and afterwards refuses to create entities', async () => {
  const { cleanup, removed } = createRecorder();
  const { promise, resolve } = Promise.withResolvers<string>();
  const remove = async (name: string) => removed.push(name);
  const creating = cleanup.createAndTrack(() => promise, remove, String);
  const end = cleanup.run();
  resolve('late');
  await Promise.all([creating, end]);
  assert.deepEqual(removed, ['late']);
  await assert.rejects(
    cleanup.createAndTrack(async () => 'later', remove, String),
    /no entity can be created/,
  );
});

test('a nested cleanup can run early; otherwise, the outer cleanup runs it before removing the outer entities', async () => {
  const { cleanup, add, removed } = createRecorder();
  add('account');
  for (const name of ['nested-1', 'nested-2'])
    cleanup.createNestedCleanup(async () => void removed.push(`end of ${name}`)).add(name, async () => removed.push(name));
  const third = cleanup.createNestedCleanup();
  third.add('nested-3', async () => removed.push('nested-3'));
  await third.run();
  assert.deepEqual(removed, ['nested-3']);
  await cleanup.run();
  assert.deepEqual(removed.toSorted(), ['account', 'end of nested-1', 'end of nested-2', 'nested-1', 'nested-2', 'nested-3']);
  assert.equal(removed.at(-1), 'account');
});

test('cleanup skips entities that a check or the method `remove` has already removed', async () => {
  const { cleanup, add, removed } = createRecorder();
  add('user').forget();
  await add('number').remove();
  await cleanup.run();
  assert.deepEqual(removed, ['number']);
});
