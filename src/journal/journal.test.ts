import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEntry, RecordedRequest } from './entry.ts';
import type { JournalFilter } from './filter.ts';
import { createJournal } from './journal.ts';
import { createMemoryStore } from './memory-store.ts';

const createMemoryJournal = (capacity?: number, closing?: AbortSignal) => createJournal(createMemoryStore(capacity), closing);

function createRecorded(traceId: string, members: Partial<RecordedRequest> = {}): RecordedRequest {
  const known = { traceId, method: 'GET', path: '/users/1', operationId: 'getUser', status: 200, credentials: [], ...members };
  const { operationId = '', status = 0, method, path } = known;
  const entry = { traceId, method, path, operationId, status, at: new Date(0).toISOString(), door: 'service', durationMs: 1 } as const;
  const buildEntry = (number: number): JournalEntry => ({ ...entry, number });
  return { buildEntry, buildSummary: buildEntry, ...known };
}

function createMixedJournal(closing?: AbortSignal) {
  const journal = createMemoryJournal(undefined, closing);
  journal.add(createRecorded('a'));
  journal.add(createRecorded('b', { status: 404 }));
  journal.add(
    createRecorded('c', { method: 'POST', path: '/experience/assignments?x=1', operationId: 'createExperienceAssignment', status: 422 }),
  );
  journal.add(createRecorded('d', { path: '/nope', operationId: undefined, status: undefined }));
  return journal;
}

const joinTraceIds = (entries: readonly JournalEntry[]) => entries.map(({ traceId }) => traceId).join('');

test('listAfter returns the entries with higher numbers in ascending order, and `missed` counts the removed entries', async () => {
  const journal = createMemoryJournal(3);
  for (const traceId of 'abcde') journal.add(createRecorded(traceId));
  const listAfter = async (number: number, limit = 9) => {
    const { entries, missed } = await journal.listAfter(number, limit);
    return [joinTraceIds(entries), missed];
  };
  assert.deepEqual(
    [await listAfter(3), await listAfter(3, 1), await listAfter(0, 2), await listAfter(5), await listAfter(9)],
    [
      ['de', 0],
      ['d', 0],
      ['cd', 2],
      ['', 0],
      ['', 0],
    ],
  );
  await journal.clear();
  assert.deepEqual([await listAfter(3), await journal.readNewestNumber()], [['', 2], 5]);
});

test('a list with `before` continues an earlier list, and builds only the listed entries', async () => {
  const journal = createMemoryJournal();
  let built = 0;
  for (const traceId of 'abcde') {
    const { buildEntry: entry, ...members } = createRecorded(traceId);
    journal.add({ ...members, buildEntry: (number) => [entry(number), built++][0] as JournalEntry });
  }
  assert.deepEqual(
    [joinTraceIds(await journal.list({ limit: 2 })), joinTraceIds(await journal.list({ limit: 2, before: 4 })), built],
    ['ed', 'cb', 4],
  );
  assert.deepEqual(
    [joinTraceIds(await journal.list({ before: 1 })), joinTraceIds(await journal.list({ since: 1, before: 4 }))],
    ['', 'cb'],
  );
});

test('a list can be filtered by credential and by the reason of a refusal', async () => {
  const journal = createMemoryJournal();
  const failure = { reason: 'users.get.not-found', status: 404, detail: '' } as const;
  const cause = { asker: undefined, failure, evidence: undefined };
  journal.add(createRecorded('a', { credentials: ['print', 'client', undefined, undefined] }));
  journal.add(createRecorded('b', { credentials: [undefined, undefined, undefined, 'client'], status: 404, cause }));
  const { buildSummary: summary, ...members } = createRecorded('c', { status: 503 });
  journal.add({
    ...members,
    buildSummary: (number) => ({ ...summary(number), problem: { title: '', type: '/problems/http.injected-fault' } }),
  });
  const select = async (filter: JournalFilter) => joinTraceIds(await journal.list(filter));
  assert.deepEqual(
    [await select({ credential: 'client' }), await select({ credential: 'print' }), await select({ credential: 'other' })],
    ['ba', 'a', ''],
  );
  assert.deepEqual(
    [await select({ rule: 'users.get.not-found' }), await select({ rule: 'http.injected-fault' }), await select({ rule: 'users.get' })],
    ['b', 'c', ''],
  );
});

test('a full journal removes its oldest entries, and numbering continues after the journal is cleared', async () => {
  const journal = createMemoryJournal(3);
  for (const traceId of 'abcde') journal.add(createRecorded(traceId));
  assert.equal(joinTraceIds(await journal.list()), 'edc');
  assert.deepEqual(
    (await journal.list()).map(({ number }) => number),
    [5, 4, 3],
  );
  assert.equal(await journal.find('b'), undefined);
  await journal.clear();
  assert.deepEqual(await journal.list(), []);
  journal.add(createRecorded('f'));
  assert.equal((await journal.list())[0]?.number, 6);
});

test('a full journal releases the memory of removed entries', () => {
  const journal = createMemoryJournal(1);
  const released: string[] = [];
  for (const traceId of ['a', 'b']) journal.add(createRecorded(traceId, { release: () => released.push(traceId) }));
  assert.deepEqual(released, ['a']);
});

const filters: readonly [JournalFilter & { limit?: number }, string][] = [
  [{}, 'dcba'],
  [{ limit: 2 }, 'dc'],
  [{ operation: 'getUser' }, 'ba'],
  [{ status: 404 }, 'b'],
  [{ status: '404' }, 'b'],
  [{ status: '4xx' }, 'cb'],
  [{ method: 'post' }, 'c'],
  [{ path: '/experience/assignments' }, 'c'],
  [{ path: '/users/*' }, 'ba'],
  [{ path: '/users' }, ''],
  [{ path: '/user./1' }, ''],
  [{ path: '*' }, 'dcba'],
  [{ since: 2 }, 'dc'],
  [{ since: 9 }, ''],
  [{ method: 'GET', status: 200, operation: 'getUser' }, 'a'],
];
for (const [filter, found] of filters) {
  test(`a list contains the entries that match every member of the filter, the newest first: ${JSON.stringify(filter)}`, async () => {
    assert.equal(joinTraceIds(await createMixedJournal().list(filter)), found);
  });
}

test('find returns the newest entry if several requests have the same trace id', async () => {
  const journal = createMemoryJournal();
  journal.add(createRecorded('a', { status: 500 }));
  journal.add(createRecorded('a', { status: 201 }));
  assert.equal((await journal.find('a'))?.entry.status, 201);
});

test('wait without `since` returns the newest existing entry that matches', async () => {
  assert.equal((await createMixedJournal().waitForEntry({ operation: 'getUser' }, 60_000))?.traceId, 'b');
});

test('wait with `since: N` returns the first match after entry N, even if the match is added later', async () => {
  const journal = createMixedJournal();
  assert.equal((await journal.waitForEntry({ since: 1 }, 60_000))?.traceId, 'b');
  const waited = journal.waitForEntry({ since: 4, method: 'GET' }, 60_000);
  journal.add(createRecorded('e', { method: 'PUT' }));
  journal.add(createRecorded('f'));
  assert.equal((await waited)?.traceId, 'f');
});

test('wait returns undefined after the timeout, and when the kit closes', async () => {
  const closing = new AbortController();
  const journal = createMixedJournal(closing.signal);
  assert.equal(await journal.waitForEntry({ status: 503 }, 1), undefined);
  const closed = journal.waitForEntry({ status: 503 }, 60_000);
  closing.abort();
  assert.equal(await closed, undefined);
  assert.equal(await journal.waitForEntry({ status: 503 }, 60_000), undefined);
});

test('a subscriber is called after new entries until it unsubscribes', async () => {
  const journal = createMemoryJournal();
  let calls = 0;
  journal.add(createRecorded('a'));
  const end = journal.subscribe(() => calls++);
  journal.add(createRecorded('b'));
  await new Promise(setImmediate);
  end();
  journal.add(createRecorded('c'));
  await new Promise(setImmediate);
  assert.equal(calls, 1);
});
