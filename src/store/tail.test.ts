import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds } from '../clock/ids.ts';
import { openStore } from './store.ts';
import { settledBefore } from './tail.ts';
import { freshDatabase } from './testing/postgres.ts';
import { add } from './testing/rows.ts';

const ids = createIds();

test('what a transaction of another replica may still bring is not settled, however long it takes', async () => {
  const database = await freshDatabase();
  const [store, replica] = await Promise.all([openStore({ database }), openStore({ database })]);
  const later = Date.now() + 60_000;
  let id = '';
  await replica.write(async (tx) => {
    id = ids.uuid();
    await add(tx, 'meta', { key: id, value: '' });
    assert.ok((await settledBefore(store, later)) < id);
  });
  assert.ok((await settledBefore(store, later)) > id);
  await Promise.all([store.close(), replica.close()]);
});

test('on SQLite transactions end in the order in which they begin: everything is settled', async () => {
  const store = await openStore();
  assert.ok((await settledBefore(store, Date.now())) > ids.uuid());
  await store.close();
});
