import assert from 'node:assert/strict';
import { constants, DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, type TestContext, test } from 'node:test';
import { Kysely } from 'kysely';
import { insertRow, prepared } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { openStore, type Store } from '../store.ts';
import { destinationOf } from '../subscriptions.ts';
import { add } from '../testing/rows.ts';
import { NodeSqliteDialect } from './driver.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
  await add(store.db, 'providers');
  await add(store.db, 'subscriptions');
});
afterEach(() => store.close());

const destination = () => destinationOf.first(store.db, { id: 'subscription-1' });

/** Returns the number of queries that `read` sends to the database. */
async function queries(t: TestContext, read: () => Promise<unknown>): Promise<number> {
  const { mock } = t.mock.method(StatementSync.prototype, 'all');
  await read();
  mock.restore();
  return mock.callCount();
}

test('SQLite compiles a query with a limit only once', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec("create table meta (key text primary key, value text); insert into meta values ('a', '1'), ('b', '2'), ('c', '3')");
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database) });
  const firstKeys = prepared((executor, p: { limit: number }) => executor.selectFrom('meta').select('key').orderBy('key').limit(p.limit));
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

test('a remembered result is read again after an insert, update or delete in its table, even in a transaction', async (t) => {
  await destination();
  assert.equal(await queries(t, destination), 0);
  await store.write((tx) => tx.updateTable('subscriptions').set({ secret: 'changed' }).execute());
  assert.equal((await destination())?.secret, 'changed');
  await store.db.deleteFrom('subscriptions').execute();
  assert.equal(await destination(), undefined);
  await add(store.db, 'subscriptions');
  assert.notEqual(await destination(), undefined);
});

// A foreign key may delete rows of tables that the statement does not name.
test('a remembered result is read again after a deletion in any table', async (t) => {
  await destination();
  await store.db.deleteFrom('accounts').execute();
  assert.equal(await queries(t, destination), 1);
});

test('a remembered result is not read again after an insert or update in another table', async (t) => {
  await destination();
  await store.write(async (tx) => {
    await insertRow(tx, 'meta', { key: 'a', value: 'b' });
    await tx.updateTable('meta').set({ value: 'c' }).execute();
  });
  assert.equal(await queries(t, destination), 0);
});
