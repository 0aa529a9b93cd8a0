import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEntry, JournalFilter, Recorded } from './journal.ts';
import { createMemoryJournal } from './memory-journal.ts';

function recorded(traceId: string, members: Partial<Recorded> = {}): Recorded {
  const known = { traceId, method: 'GET', path: '/users/1', operationId: 'getUser', status: 200, credentials: [], ...members };
  const { operationId = '', status = 0, method, path } = known;
  const entry = { traceId, method, path, operationId, status, at: new Date(0).toISOString(), door: 'service', durationMs: 1 } as const;
  const build = (number: number): JournalEntry => ({ ...entry, number });
  return { release: () => {}, entry: build, summary: build, ...known };
}

/** A journal with four different entries, for the tests of filters. */
function mixed() {
  const journal = createMemoryJournal();
  journal.add(recorded('a'));
  journal.add(recorded('b', { status: 404 }));
  journal.add(
    recorded('c', { method: 'POST', path: '/experience/assignments?x=1', operationId: 'createExperienceAssignment', status: 422 }),
  );
  journal.add(recorded('d', { path: '/nope', operationId: undefined, status: undefined }));
  return journal;
}

const traces = (entries: readonly JournalEntry[]) => entries.map(({ traceId }) => traceId).join('');

test('entries after an entry number are listed in ascending order, together with the count of removed entries', async () => {
  const journal = createMemoryJournal({ capacity: 3 });
  for (const traceId of 'abcde') journal.add(recorded(traceId));
  const following = async (number: number, limit = 9) => {
    const { entries, missed } = await journal.following(number, limit);
    return [traces(entries), missed];
  };
  assert.deepEqual(
    [await following(3), await following(3, 1), await following(0, 2), await following(5), await following(9)],
    [
      ['de', 0],
      ['d', 0],
      ['cd', 2],
      ['', 0],
      ['', 0],
    ],
  );
  await journal.clear();
  assert.deepEqual([await following(3), await journal.newest()], [['', 2], 5]);
});

test('a list continues before an entry number, and only the entries of the list are built', async () => {
  const journal = createMemoryJournal();
  let built = 0;
  for (const traceId of 'abcde') {
    const { entry, ...members } = recorded(traceId);
    journal.add({ ...members, entry: (number) => [entry(number), built++][0] as JournalEntry });
  }
  assert.deepEqual([traces(await journal.list({ limit: 2 })), traces(await journal.list({ limit: 2, before: 4 })), built], ['ed', 'cb', 4]);
  assert.deepEqual([traces(await journal.list({ before: 1 })), traces(await journal.list({ since: 1, before: 4 }))], ['', 'cb']);
});

test('entries are selected by a credential and by the reason of a refusal', async () => {
  const journal = createMemoryJournal();
  const failure = { reason: 'users.get.not-found', status: 404, detail: '' } as const;
  const cause = { asker: undefined, failure, evidence: undefined };
  journal.add(recorded('a', { credentials: ['print', 'client', undefined, undefined] }));
  journal.add(recorded('b', { credentials: [undefined, undefined, undefined, 'client'], status: 404, cause }));
  const { summary, ...members } = recorded('c', { status: 503 });
  journal.add({ ...members, summary: (number) => ({ ...summary(number), problem: { title: '', type: '/problems/http.injected-fault' } }) });
  const select = async (filter: JournalFilter) => traces(await journal.list(filter));
  assert.deepEqual(
    [await select({ credential: 'client' }), await select({ credential: 'print' }), await select({ credential: 'other' })],
    ['ba', 'a', ''],
  );
  assert.deepEqual(
    [await select({ rule: 'users.get.not-found' }), await select({ rule: 'http.injected-fault' }), await select({ rule: 'users.get' })],
    ['b', 'c', ''],
  );
});

test('a full journal removes its oldest entry for each new entry, and entry numbers continue after the journal is cleared', async () => {
  const journal = createMemoryJournal({ capacity: 3 });
  for (const traceId of 'abcde') journal.add(recorded(traceId));
  assert.equal(traces(await journal.list()), 'edc');
  assert.deepEqual(
    (await journal.list()).map(({ number }) => number),
    [5, 4, 3],
  );
  assert.equal(await journal.find('b'), undefined);
  await journal.clear();
  assert.deepEqual(await journal.list(), []);
  journal.add(recorded('f'));
  assert.equal((await journal.list())[0]?.number, 6);
});

test('a full journal releases the entry that it removes, unless a reader waits for entries', async () => {
  const journal = createMemoryJournal({ capacity: 1 });
  const released: string[] = [];
  const add = (traceId: string, path = '/users') => journal.add(recorded(traceId, { path, release: () => released.push(traceId) }));
  add('a');
  add('b');
  assert.deepEqual(released, ['a']);
  const waiting = journal.wait({ path: '/last', since: 0 }, 60_000);
  add('c');
  add('d', '/last');
  assert.deepEqual([(await waiting)?.traceId, released], ['d', ['a']]);
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
    assert.equal(traces(await mixed().list(filter)), found);
  });
}

test('find returns the newest entry if several requests have the same trace id', async () => {
  const journal = createMemoryJournal();
  journal.add(recorded('a', { status: 500 }));
  journal.add(recorded('a', { status: 201 }));
  assert.equal((await journal.find('a'))?.entry.status, 201);
});

test('wait without `since` returns the newest existing entry that matches', async () => {
  assert.equal((await mixed().wait({ operation: 'getUser' }, 60_000))?.traceId, 'b');
});

test('wait with `since` returns the first match after that number, even if the entry is added later', async () => {
  const journal = mixed();
  assert.equal((await journal.wait({ since: 1 }, 60_000))?.traceId, 'b');
  const waited = journal.wait({ since: 4, method: 'GET' }, 60_000);
  journal.add(recorded('e', { method: 'PUT' }));
  journal.add(recorded('f'));
  assert.equal((await waited)?.traceId, 'f');
});

test('wait returns undefined after the timeout, and when the journal is closed', async () => {
  const journal = mixed();
  assert.equal(await journal.wait({ status: 503 }, 1), undefined);
  const closed = journal.wait({ status: 503 }, 60_000);
  journal.close();
  assert.equal(await closed, undefined);
  assert.equal(await journal.wait({ status: 503 }, 60_000), undefined);
});

test('a subscriber is called after every new entry until the subscriber unsubscribes', async () => {
  const journal = createMemoryJournal();
  let calls = 0;
  journal.add(recorded('a'));
  const end = journal.subscribe(() => calls++);
  journal.add(recorded('b'));
  await new Promise(setImmediate);
  end();
  journal.add(recorded('c'));
  await new Promise(setImmediate);
  assert.equal(calls, 1);
});
