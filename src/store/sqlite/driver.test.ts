import assert from 'node:assert/strict';
import { constants, DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, type TestContext, test } from 'node:test';
import { Kysely } from 'kysely';
import type { Executor } from '../engine.ts';
import { insertLater, insertRow, prepared } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { openStore, type Store } from '../store.ts';
import { destinationOf } from '../subscriptions.ts';
import { add, rows } from '../testing/rows.ts';
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

test('transactions use remembered results', async (t) => {
  await destination();
  assert.equal(await queries(t, () => store.write((tx) => destinationOf.first(tx, { id: 'subscription-1' }))), 0);
});

test('a result that was remembered in a transaction is forgotten if the transaction is rolled back', async () => {
  await destination();
  const failed = store.write(async (tx) => {
    await tx.updateTable('subscriptions').set({ secret: 'changed' }).execute();
    assert.equal((await destinationOf.first(tx, { id: 'subscription-1' }))?.secret, 'changed');
    throw new Error('stop');
  });
  await assert.rejects(failed, /stop/);
  assert.notEqual((await destination())?.secret, 'changed');
});

const event = (id: string) => ({ ...rows.events, id });
const eventIds = async (db: Executor) => (await db.selectFrom('events').select('id').orderBy('id').execute()).map(({ id }) => id);

test('rows that are inserted later are visible to the next query of their table, and committed', async () => {
  await store.write(async (tx) => {
    await insertLater(tx, 'events', event('a'));
    assert.deepEqual(await eventIds(tx), ['a']);
    await insertLater(tx, 'events', event('b'));
    await tx.deleteFrom('events').where('id', '=', 'b').execute();
    await insertLater(tx, 'events', event('c'));
  });
  assert.deepEqual(await eventIds(store.db), ['a', 'c']);
});

test('rows that are inserted later are not inserted if their transaction is rolled back', async () => {
  const failed = store.write(async (tx) => {
    await insertLater(tx, 'events', event('a'));
    throw new Error('stop');
  });
  await assert.rejects(failed, /stop/);
  await store.write((tx) => insertLater(tx, 'events', event('b')));
  assert.deepEqual(await eventIds(store.db), ['b']);
});

test('a write whose later rows cannot be inserted fails, but not the other writes of its transaction', async () => {
  const ids = ['a', 'b', 'a'];
  const results = await Promise.allSettled(ids.map((id) => store.write((tx) => insertLater(tx, 'events', event(id)))));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  assert.deepEqual(await eventIds(store.db), ['a', 'b']);
});

test('one statement inserts the later rows of many writes', async (t) => {
  const { mock } = t.mock.method(StatementSync.prototype, 'run');
  await Promise.all(Array.from({ length: 16 }, (_, n) => store.write((tx) => insertLater(tx, 'events', event(`${n}`)))));
  const inserts = mock.calls.filter((call) => (call.this as StatementSync).sourceSQL.startsWith('insert into "events"'));
  assert.equal(inserts.length, 1);
});
