import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createJournal, type JournalEntry, type JournalFilter, type Recorded } from './journal.ts';

function recorded(traceId: string, members: Partial<Recorded> = {}): Recorded {
  const known = { traceId, method: 'GET', path: '/users/1', operationId: 'getUser', status: 200, ...members };
  const { operationId = '', status = 0, method, path } = known;
  const entry = { traceId, method, path, operationId, status, at: new Date(0).toISOString(), door: 'service', durationMs: 1 } as const;
  return { ...known, entry: (number) => ({ ...entry, number }) };
}

/** The journal that the tests of filters ask. */
function mixed() {
  const journal = createJournal();
  journal.add(recorded('a'));
  journal.add(recorded('b', { status: 404 }));
  journal.add(
    recorded('c', { method: 'POST', path: '/experience/assignments?x=1', operationId: 'createExperienceAssignment', status: 422 }),
  );
  journal.add(recorded('d', { path: '/nope', operationId: undefined, status: undefined }));
  return journal;
}

const traces = (entries: readonly JournalEntry[]) => entries.map(({ traceId }) => traceId).join('');

test('what follows a number comes oldest first, with how much of it is forgotten', () => {
  const journal = createJournal({ capacity: 3 });
  for (const traceId of 'abcde') journal.add(recorded(traceId));
  const following = (number: number, limit = 9) => {
    const { entries, missed } = journal.following(number, limit);
    return [traces(entries), missed];
  };
  assert.deepEqual(
    [following(3), following(3, 1), following(0, 2), following(5), following(9)],
    [
      ['de', 0],
      ['d', 0],
      ['cd', 2],
      ['', 0],
      ['', 0],
    ],
  );
  journal.clear();
  assert.deepEqual([following(3), journal.newest], [['', 2], 5]);
});

test('a full journal forgets the oldest entry for each new one, and numbers go on', () => {
  const journal = createJournal({ capacity: 3 });
  for (const traceId of 'abcde') journal.add(recorded(traceId));
  assert.equal(traces(journal.list()), 'edc');
  assert.deepEqual(
    journal.list().map(({ number }) => number),
    [5, 4, 3],
  );
  assert.equal(journal.find('b'), undefined);
  journal.clear();
  assert.deepEqual(journal.list(), []);
  journal.add(recorded('f'));
  assert.equal(journal.list()[0]?.number, 6);
});

test('a capacity that is no whole number above 0 is refused', () => {
  for (const capacity of [0, -1, 1.5, Number.NaN]) assert.throws(() => createJournal({ capacity }), /whole number of entries/);
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
  test(`the newest come first, and all of a filter has to hold: ${JSON.stringify(filter)}`, () => {
    assert.equal(traces(mixed().list(filter)), found);
  });
}

test('of several requests under one trace the newest is found', () => {
  const journal = createJournal();
  journal.add(recorded('a', { status: 500 }));
  journal.add(recorded('a', { status: 201 }));
  assert.equal(journal.find('a')?.status, 201);
});

test('who waits without a number gets the newest that is there already', async () => {
  assert.equal((await mixed().wait({ operation: 'getUser' }, 60_000))?.traceId, 'b');
});

test('who waits since a number gets the first after it, also where that is still to come', async () => {
  const journal = mixed();
  assert.equal((await journal.wait({ since: 1 }, 60_000))?.traceId, 'b');
  const waited = journal.wait({ since: 4, method: 'GET' }, 60_000);
  journal.add(recorded('e', { method: 'PUT' }));
  journal.add(recorded('f'));
  assert.equal((await waited)?.traceId, 'f');
});

test('what does not come in time, or before the journal is closed, is undefined', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  const journal = mixed();
  const late = journal.wait({ status: 503 }, 1000);
  mock.timers.tick(1000);
  assert.equal(await late, undefined);
  assert.equal(await journal.wait({ status: 503 }, 0), undefined);
  const closed = journal.wait({ status: 503 }, 1000);
  journal.close();
  assert.equal(await closed, undefined);
  assert.equal(await journal.wait({ status: 503 }, 1000), undefined);
});

test('a subscriber is told of every entry from then on, until it ends that', async () => {
  const journal = createJournal();
  const told: string[] = [];
  journal.add(recorded('a'));
  const end = journal.subscribe(({ traceId }) => told.push(traceId));
  journal.add(recorded('b'));
  journal.add(recorded('c'));
  await new Promise(setImmediate);
  end();
  journal.add(recorded('d'));
  await new Promise(setImmediate);
  assert.deepEqual(told, ['b', 'c']);
});
