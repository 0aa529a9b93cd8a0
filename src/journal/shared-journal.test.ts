import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../store/store.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import type { JournalEntry, Recorded } from './journal.ts';
import { openSharedJournal } from './shared-journal.ts';

function recorded(traceId: string): Recorded {
  const known = { traceId, method: 'GET', path: '/users/1', operationId: 'getUser', status: 200 };
  const build = (number: number): JournalEntry => ({ ...known, number, at: '', door: 'service', durationMs: 1 });
  return { ...known, credentials: [], entry: build, summary: build, release: () => {} };
}

test('a reader that continues after the last entry misses no entry of a transaction that commits later', async () => {
  const database = await createDatabase();
  const [store, replica] = await Promise.all([openStore({ database }), openStore({ database })]);
  const [journal, other] = await Promise.all([openSharedJournal(store), openSharedJournal(replica)]);
  const traces = async (after: number) => (await journal.following(after, 9)).entries.map(({ traceId, number }) => [traceId, number]);
  await replica.write(async (tx) => {
    await other.addIn!(tx, recorded('early'));
    journal.add(recorded('late'));
    assert.equal((await journal.find('late'))?.entry.traceId, 'late');
    const { entries, isComplete } = await journal.following(0, 9);
    assert.deepEqual([entries, isComplete], [[], false]);
  });
  assert.deepEqual(await traces(0), [
    ['early', 1],
    ['late', 2],
  ]);
  assert.deepEqual(await traces(1), [['late', 2]]);
  await Promise.all([store.close(), replica.close()]);
});

test('an entry that waits when a change is rolled back is stored later', async () => {
  const store = await openStore({ database: await createDatabase() });
  const journal = await openSharedJournal(store);
  journal.add(recorded('read'));
  let end = (_: boolean) => {};
  const changing = store.write(async (tx) => {
    end = await journal.addIn!(tx, recorded('change'));
    throw new Error('rolled back');
  });
  await assert.rejects(changing, /rolled back/);
  end(false);
  assert.deepEqual(
    (await journal.list()).map(({ traceId }) => traceId),
    ['read'],
  );
  await store.close();
});
