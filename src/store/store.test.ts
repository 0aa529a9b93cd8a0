import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lockAccount } from './accounts.ts';
import { findUniqueViolation, isForeignKeyViolation } from './errors.ts';
import { prepareQuery } from './prepared.ts';
import type { Tables } from './schema.ts';
import { openStore, type Store, type StoreOptions } from './store.ts';
import { createDatabase } from './testing/postgres.ts';
import { exampleRows, insertAllExamples, insertExample, tableNames } from './testing/rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-store-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const DATABASES: Readonly<Record<string, () => Promise<StoreOptions>>> = {
  sqlite: async () => ({ data: join(folder, `${files++}.db`) }),
  postgres: async () => ({ database: await createDatabase() }),
};

function testBothEngines(title: string, body: (store: Store, place: StoreOptions) => Promise<void>): void {
  for (const [engine, place] of Object.entries(DATABASES)) {
    test(`${engine}: ${title}`, async () => {
      const options = await place();
      const store = await openStore(options);
      try {
        await body(store, options);
      } finally {
        await store.close();
      }
    });
  }
}

const getRejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail('the promise should have rejected'),
    (error: unknown) => error,
  );

testBothEngines('every table returns the row that was inserted', async ({ db }) => {
  await insertAllExamples(db);
  for (const table of tableNames) assert.deepEqual({ ...(await db.selectFrom(table).selectAll().executeTakeFirst()) }, exampleRows[table]);
});

/** A table, a unique constraint, and values that violate only this constraint. */
type UniqueCase = readonly [keyof Tables, string[], Record<string, string>];
const UNIQUE: readonly UniqueCase[] = [
  ['meta', ['key'], {}],
  ['telephone_numbers', ['number'], {}],
  ['native_user_ids', ['native_id', 'style'], {}],
  ['experience_grants', ['provider_id', 'experience_id'], {}],
  ['account_grants', ['principal_id', 'account_id'], {}],
  ['assignments', ['alias'], { id: 'other', target_value: '+15550101', agent_number: '+15550101' }],
  ['assignments', ['experience_id', 'target_type', 'target_value'], { id: 'other', alias: 'other', agent_number: '+15550101' }],
  ['assignments', ['agent_number'], { id: 'other', alias: 'other', target_value: '+15550101' }],
  ['connections', ['account_id', 'experience_id'], { id: 'other', alias: 'other' }],
  ['deliveries', ['subscription_id', 'event_id'], { id: 'other' }],
  ['principals', ['telephone_number'], { id: 'other', alias: 'other' }],
  ['oauth_artifacts', ['kind', 'id'], {}],
  ['oauth_revocations', ['grant_id'], {}],
  ['oauth_assertions', ['id'], {}],
  ...(['providers', 'experiences', 'accounts', 'users', 'clients', 'subscriptions'] as const).flatMap((table): UniqueCase[] => [
    [table, ['id'], { alias: 'other' }],
    [table, ['alias'], { id: 'other' }],
  ]),
];

testBothEngines('a second row with the same values in unique columns is rejected, and the error contains these columns', async ({ db }) => {
  await insertAllExamples(db);
  for (const [table, columns, free] of UNIQUE) {
    assert.deepEqual(findUniqueViolation(await getRejection(insertExample(db, table, free))), { table, columns });
  }
});

const STRINGS = ['', ' ', '10', '9', 'Z', '_', 'a', 'aa', 'a-b', 'ab', 'É', 'é', 'e\u0301', 'z', 'ß', '한', '\uffee', '😀'];

testBothEngines('strings are ordered by their UTF-8 bytes, in `order by` and in comparisons', async ({ db }) => {
  await insertExample(db, 'accounts');
  for (const [i, first_name] of STRINGS.entries()) await insertExample(db, 'users', { id: `${i}`, alias: `${i}`, first_name });
  const sorted = STRINGS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const query = db.selectFrom('users').select('first_name').orderBy('first_name');
  const listNames = async (found: typeof query) => (await found.execute()).map((row) => row.first_name);
  assert.deepEqual(await listNames(query), sorted);
  assert.deepEqual(await listNames(query.where('first_name', '>', sorted[4] ?? '')), sorted.slice(5));
});

testBothEngines('counts and sums are returned as numbers', async ({ db }) => {
  for (const delta of [3, -1]) await insertExample(db, 'user_counts', { delta });
  const row = await db
    .selectFrom('user_counts')
    .select((it) => [it.fn.countAll().as('count'), it.fn.sum('delta').as('sum'), it.fn.max('due_at').as('last')])
    .executeTakeFirstOrThrow();
  assert.deepEqual({ ...row }, { count: 2, sum: 2, last: exampleRows.user_counts.due_at });
});

testBothEngines('a write that throws is rolled back completely', async ({ db, write }) => {
  const attempt = write(async (tx) => {
    await insertAllExamples(tx);
    throw new Error('no');
  });
  await assert.rejects(attempt, /^Error: no$/);
  for (const table of tableNames) assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
});

testBothEngines('all queries of a read see the same state, even if rows are written at the same time', async ({ engine, read, write }) => {
  const listAccounts = (db: Store['db']) => db.selectFrom('accounts').select('id').execute();
  let written: Promise<void> | undefined;
  await read(async (db) => {
    assert.deepEqual(await listAccounts(db), []);
    written = write((tx) => insertExample(tx, 'accounts'));
    // On SQLite, the write waits for the read.
    if (engine === 'postgres') await written;
    assert.deepEqual(await listAccounts(db), []);
  });
  await written;
  assert.equal((await read(listAccounts)).length, 1);
});

testBothEngines('if several writers lock the same account, one writer runs at a time', async ({ db, write }) => {
  await insertExample(db, 'accounts');
  const listNumbers = (executor: Store['db']) => executor.selectFrom('telephone_numbers').select('number').execute();
  const addNumber = () =>
    write(async (tx) => {
      await lockAccount(tx, 'account-1');
      await insertExample(tx, 'telephone_numbers', { number: `+1555${(await listNumbers(tx)).length}` });
    });
  await Promise.all(Array.from({ length: 20 }, addNumber));
  assert.equal((await listNumbers(db)).length, 20);
});

testBothEngines(
  'if several writers insert the same row at once, one writer succeeds and the others get a unique violation',
  async ({ db, write }) => {
    await insertExample(db, 'accounts');
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => write((tx) => insertExample(tx, 'telephone_numbers'))));
    const violations = results.flatMap((result) => (result.status === 'rejected' ? [findUniqueViolation(result.reason)] : []));
    assert.deepEqual(violations, Array(7).fill({ table: 'telephone_numbers', columns: ['number'] }));
  },
);

testBothEngines('a row cannot refer to a missing row, and cannot be deleted while other rows refer to it', async ({ db }) => {
  const error = await getRejection(insertExample(db, 'telephone_numbers'));
  assert.deepEqual([isForeignKeyViolation(error), findUniqueViolation(error)], [true, undefined]);
  await insertAllExamples(db);
  for (const table of ['providers', 'experiences', 'accounts'] as const) {
    assert.equal(isForeignKeyViolation(await getRejection(db.deleteFrom(table).execute())), true, table);
  }
});

testBothEngines(
  'deleting an entity deletes its grants and native ids, but not its events, its deliveries or its rows in user_list',
  async ({ db }) => {
    await insertAllExamples(db);
    for (const table of ['assignments', 'connections', 'users', 'telephone_numbers', 'accounts', 'principals'] as const) {
      await db.deleteFrom(table).execute();
    }
    const expected = { native_user_ids: 0, account_grants: 0, events: 1, deliveries: 1, user_list: 1 };
    for (const [table, count] of Object.entries(expected)) {
      const left = db.selectFrom(table as keyof Tables).selectAll();
      assert.equal((await left.execute()).length, count, table);
    }
  },
);

testBothEngines('a database that a newer kit version has changed is rejected', async ({ db, close }, place) => {
  const migration = { name: '9999-later', timestamp: new Date().toISOString() };
  await db
    .insertInto('kysely_migration' as never)
    .values(migration as never)
    .execute();
  await close();
  await assert.rejects(openStore(place), /newer kit version.*9999-later/);
});

const insert = prepareQuery((db, p: { key: string; value: string }) => db.insertInto('meta').values({ value: p.value, key: p.key }));
const byKey = prepareQuery((db, p: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', p.key));

testBothEngines(
  'a prepared query can be used with different parameters, and returns rows or the number of changed rows',
  async ({ db }) => {
    for (const key of ['a', 'b', 'c']) assert.equal(await insert.executeWrite(db, { key, value: key === 'c' ? 'hidden' : 'shown' }), 1);
    assert.deepEqual([(await byKey.first(db, { key: 'a' }))?.value, await byKey.first(db, { key: 'd' })], ['shown', undefined]);
    const page = prepareQuery((executor, p: { after: string; size: number }) =>
      executor.selectFrom('meta').select('key').where('key', '>', p.after).where('value', '=', 'shown').orderBy('key').limit(p.size),
    );
    assert.deepEqual(await page.tuples(db, { after: '', size: 2 }), [['a'], ['b']]);
    assert.deepEqual(await page.tuples(db, { after: 'a', size: 9 }), [['b']]);
    const rename = prepareQuery((executor, p: { from: string; to: string }) =>
      executor.updateTable('meta').set({ value: p.to }).where('value', '=', p.from),
    );
    assert.deepEqual(
      [await rename.executeWrite(db, { from: 'shown', to: 'x' }), await rename.executeWrite(db, { from: 'shown', to: 'x' })],
      [2, 0],
    );
    const remove = prepareQuery((executor, p: { value: string }) =>
      executor.deleteFrom('meta').where('value', '=', p.value).returning('key'),
    );
    assert.deepEqual((await remove(db, { value: 'x' })).map(({ key }) => key).sort(), ['a', 'b']);
  },
);

testBothEngines('a prepared query runs in the given transaction', async ({ db, write }) => {
  const attempt = write(async (tx) => {
    await insert.executeWrite(tx, { key: 'a', value: 'inside' });
    assert.equal((await byKey.first(tx, { key: 'a' }))?.value, 'inside');
    throw new Error('no');
  });
  await assert.rejects(attempt, /^Error: no$/);
  assert.equal(await byKey.first(db, { key: 'a' }), undefined);
});

testBothEngines('a prepared query throws if a parameter is missing, or if the query converts a parameter to a string', async ({ db }) => {
  await assert.rejects(byKey(db, {} as { key: string }), /The prepared query's parameter "key" is missing/);
  const text = prepareQuery((executor, p: { key: string }) => executor.selectFrom('meta').select('value').where('key', '=', `x${p.key}`));
  await assert.rejects(text(db, { key: 'a' }), /"key" is only a placeholder/);
});
