import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '../clock/clock.ts';
import { openStore } from '../store/store.ts';
import { insertExample } from '../store/testing/rows.ts';
import { openLaggingLists } from './lagging-lists.ts';

test('after a failed read of the store, the next list reads the store again', async (t) => {
  const store = await openStore();
  t.after(() => store.close());
  await insertExample(store.db, 'accounts');
  let isDown = true;
  const read: typeof store.read = async (work) => {
    if (isDown) throw new Error('the database is down');
    return store.read(work);
  };
  const clock = createClock(() => 0);
  const lists = await openLaggingLists({ ...store, read }, clock, { load: '' }, 1000);
  t.after(() => lists.close());
  await assert.rejects(async () => lists.getListDatabase(), /the database is down/);
  isDown = false;
  const copy = await lists.getListDatabase();
  assert.equal((await copy.selectFrom('accounts').select('id').execute()).length, 1);
});
