import assert from 'node:assert/strict';
import { constants, DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, type TestContext, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { insertRow, prepareQuery } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { openStore, type Store } from '../store.ts';
import { destinationById } from '../subscriptions.ts';
import { insertExample } from '../testing/rows.ts';
import { NodeSqliteDialect } from './driver.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
  await insertExample(store.db, 'providers');
  await insertExample(store.db, 'subscriptions');
});
afterEach(() => store.close());

const readDestination = () => destinationById.first(store.db, { id: 'subscription-1' });

async function countQueries(t: TestContext, read: () => Promise<unknown>): Promise<number> {
  const { mock } = t.mock.method(StatementSync.prototype, 'all');
  await read();
  mock.restore();
  return mock.callCount();
}

test('SQLite compiles a query only once, even if its limit changes', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec("create table meta (key text primary key, value text); insert into meta values ('a', '1'), ('b', '2'), ('c', '3')");
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database) });
  const firstKeys = prepareQuery((executor, p: { limit: number }) =>
    executor.selectFrom('meta').select('key').orderBy('key').limit(p.limit),
  );
  let compiled = 0;
  // SQLite asks the authorizer when it compiles a statement.
  database.setAuthorizer((action) => {
    if (action === constants.SQLITE_SELECT) compiled++;
    return constants.SQLITE_OK;
  });
  for (const limit of [1, 2, 2]) assert.equal((await firstKeys(db, { limit })).length, limit);
  assert.equal(compiled, 1);
  await db.destroy();
});

test('a cached result is reloaded after an insert, update or delete in its table, even in a transaction', async (t) => {
  await readDestination();
  assert.equal(await countQueries(t, readDestination), 0);
  await store.write((tx) => tx.updateTable('subscriptions').set({ secret: 'changed' }).execute());
  assert.equal((await readDestination())?.secret, 'changed');
  await store.db.deleteFrom('subscriptions').execute();
  assert.equal(await readDestination(), undefined);
  await insertExample(store.db, 'subscriptions');
  assert.notEqual(await readDestination(), undefined);
  await sql`delete from subscriptions`.execute(store.db);
  assert.equal(await readDestination(), undefined);
});

// A foreign key may delete rows in other tables.
test('a cached result is reloaded after a deletion in any table', async (t) => {
  await readDestination();
  await store.db.deleteFrom('accounts').execute();
  assert.equal(await countQueries(t, readDestination), 1);
});

test('a cached result is not reloaded after an insert or update in another table', async (t) => {
  await readDestination();
  await store.write(async (tx) => {
    await insertRow(tx, 'meta', { key: 'a', value: 'b' });
    await tx.updateTable('meta').set({ value: 'c' }).execute();
  });
  assert.equal(await countQueries(t, readDestination), 0);
});

test('transactions use cached results', async (t) => {
  await readDestination();
  assert.equal(await countQueries(t, () => store.write((tx) => destinationById.first(tx, { id: 'subscription-1' }))), 0);
});

test('a result that was cached in a transaction is removed if the transaction is rolled back', async () => {
  await readDestination();
  const failed = store.write(async (tx) => {
    await tx.updateTable('subscriptions').set({ secret: 'changed' }).execute();
    assert.equal((await destinationById.first(tx, { id: 'subscription-1' }))?.secret, 'changed');
    throw new Error('stop');
  });
  await assert.rejects(failed, /stop/);
  assert.notEqual((await readDestination())?.secret, 'changed');
});

test('a result that was cached in a transaction is removed if SQLite rolls back the transaction because the disk is full', async () => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
  await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(store.db);
  const failed = store.write(async (tx) => {
    await tx.updateTable('subscriptions').set({ secret: 'changed' }).execute();
    await destinationById.first(tx, { id: 'subscription-1' });
    await insertRow(tx, 'meta', { key: 'large', value: 'x'.repeat(100_000) });
  });
  await assert.rejects(failed, /full/);
  assert.notEqual((await readDestination())?.secret, 'changed');
});
