import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { readMeta, writeMeta } from './meta.ts';
import { openStore, type Store } from './store.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

const listKeys = async () => [...(await readMeta(store.db)).keys()].sort();

test('if several writes arrive together, each write returns its own result', async () => {
  const results = await Promise.all(['a', 'b', 'c'].map((key) => store.write(async (tx) => writeMeta(tx, key, 'x').then(() => key))));
  assert.deepEqual(results, ['a', 'b', 'c']);
  assert.deepEqual(await listKeys(), ['a', 'b', 'c']);
});

test('a write that throws does not undo the other writes in the same group', async () => {
  const write = (key: string) =>
    store.write(async (tx) => {
      await writeMeta(tx, key, 'x');
      if (key === 'b') throw new Error('no');
    });
  const settled = await Promise.allSettled(['a', 'b', 'c'].map(write));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(await listKeys(), ['a', 'c']);
});

test('a write sees the rows from earlier writes in the same transaction', async () => {
  const seen = await Promise.all(
    ['a', 'b', 'c'].map((key) =>
      store.write(async (tx) => {
        const before = (await readMeta(tx)).size;
        await writeMeta(tx, key, 'x');
        return before;
      }),
    ),
  );
  assert.deepEqual(seen, [0, 1, 2]);
});

test('a write resolves after the commit', async () => {
  let committed = false;
  const first = store.write((tx) => writeMeta(tx, 'a', 'x')).then(() => committed);
  const last = store.write(async (tx) => {
    await writeMeta(tx, 'b', 'x');
    await tx.executeQuery(CompiledQuery.raw('select 1'));
    committed = true;
  });
  assert.equal(await first, true);
  await last;
});

test('a read outside the transaction does not see uncommitted rows', async () => {
  const looks: Promise<string[]>[] = [];
  await store
    .write(async (tx) => {
      await writeMeta(tx, 'a', 'x');
      looks.push(listKeys());
      throw new Error('no');
    })
    .catch(() => {});
  assert.deepEqual(await looks[0], []);
});
