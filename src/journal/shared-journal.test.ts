import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeMeta } from '../store/meta.ts';
import { openStore } from '../store/store.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import type { JournalEntry, RecordedRequest } from './entry.ts';
import { openJournal } from './open-journal.ts';

const { signal } = new AbortController();

function createRecorded(traceId: string): RecordedRequest {
  const known = { traceId, method: 'GET', path: '/users/1', operationId: 'getUser', status: 200 };
  const buildEntry = (number: number): JournalEntry => ({ ...known, number, at: '', door: 'service', durationMs: 1 });
  return { ...known, credentials: [], buildEntry, buildSummary: buildEntry };
}

test("on PostgreSQL, listAfter skips no entry, even if an older entry's transaction commits after a newer entry's", async () => {
  const database = await createDatabase();
  const [store, replica] = await Promise.all([openStore({ database }), openStore({ database })]);
  const [journal, replicaJournal] = await Promise.all([openJournal(store, signal), openJournal(replica, signal)]);
  const listTraceIds = async (after: number) => (await journal.listAfter(after, 9)).entries.map(({ traceId, number }) => [traceId, number]);
  await replica.write(async (tx) => {
    await replicaJournal.addInTransaction!(tx, createRecorded('early'));
    journal.add(createRecorded('late'));
    assert.equal((await journal.find('late'))?.entry.traceId, 'late');
    const { entries, isComplete } = await journal.listAfter(0, 9);
    assert.deepEqual([entries, isComplete], [[], false]);
  });
  assert.deepEqual(await listTraceIds(0), [
    ['early', 1],
    ['late', 2],
  ]);
  assert.deepEqual(await listTraceIds(1), [['late', 2]]);
  await Promise.all([store.close(), replica.close()]);
});

test('on PostgreSQL, if a change is rolled back, the journal contains the earlier requests, but not the request that made the change', async (t) => {
  const store = await openStore({ database: await createDatabase() });
  t.after(() => store.close());
  const journal = await openJournal(store, signal);
  let end = (_: boolean) => {};
  const changing = store.write(async (tx) => {
    // `addInTransaction` also stores this entry, because it is not stored yet.
    journal.add(createRecorded('read'));
    end = await journal.addInTransaction!(tx, createRecorded('change'));
    throw new Error('rolled back');
  });
  await assert.rejects(changing, /rolled back/);
  end(false);
  assert.deepEqual(
    (await journal.list()).map(({ traceId }) => traceId),
    ['read'],
  );
});

test('on PostgreSQL, readNewestNumber counts an entry as soon as an older transaction ends, even if that transaction adds no entry', async (t) => {
  const store = await openStore({ database: await createDatabase() });
  t.after(() => store.close());
  const journal = await openJournal(store, signal);
  await store.write(async (tx) => {
    await writeMeta(tx, 'key', 'value');
    const { promise: stored, resolve } = Promise.withResolvers<void>();
    const unsubscribe = journal.subscribe(resolve);
    journal.add(createRecorded('a'));
    await stored;
    unsubscribe();
    assert.equal(await journal.readNewestNumber(), 0);
  });
  assert.equal(await journal.readNewestNumber(), 1);
});
