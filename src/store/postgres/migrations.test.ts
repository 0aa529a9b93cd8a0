import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { isUnavailable } from '../errors.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations.ts';
import { openStore } from '../store.ts';
import { createDatabase } from '../testing/postgres.ts';
import { waitForBlockedTransaction } from '../testing/waiting.ts';
import { openPostgres } from './open.ts';

const ADD_COLUMN = 'alter table users add column later text;';
const addNextMigration = (postgres: string) => ({ ...migrations, '9999-next': { postgres } });

async function openOldReplica(t: TestContext) {
  const database = await createDatabase();
  const old = await openStore({ database, databaseConnections: 1 });
  const client = new pg.Client(database);
  await client.connect();
  t.after(async () => {
    await client.end();
    await old.close();
  });
  const listUsers = () => old.db.selectFrom('users').select('id').execute();
  const runDuringMigration = async (work: () => Promise<void>) => {
    const sleeping = `from pg_stat_activity where datname = current_database() and query like '%select pg_sleep(60)' and pid <> pg_backend_pid()`;
    const deadline = performance.now() + 20_000;
    while ((await client.query(`select pid ${sleeping}`)).rows.length === 0) assert.ok(performance.now() < deadline);
    await work();
    await client.query(`select pg_cancel_backend(pid) ${sleeping}`);
  };
  return { database, old, client, listUsers, runDuringMigration };
}

test('a migration that is blocked by a long transaction lets requests pass, and is tried again', async (t) => {
  const { database, old, client, listUsers } = await openOldReplica(t);
  await client.query('begin; select from users');
  const migrating = openStore({ database }, addNextMigration(ADD_COLUMN));
  await waitForBlockedTransaction(old.db);
  assert.deepEqual(await listUsers(), []);
  await client.query('commit');
  const next = await migrating;
  assert.deepEqual(await sql`select later from users`.execute(next.db).then(({ rows }) => rows), []);
  await next.close();
});

test('while a migration holds a lock, requests fail after the statement timeout, with an error that counts as temporary', async (t) => {
  const { database, old, listUsers, runDuringMigration } = await openOldReplica(t);
  const { rows } = await sql`show statement_timeout`.execute(old.db);
  assert.deepEqual(rows, [{ statement_timeout: '1min' }]);
  await sql`set statement_timeout = 300`.execute(old.db);
  const migrating = assert.rejects(
    openStore({ database }, addNextMigration(`${ADD_COLUMN} select pg_sleep(60)`)),
    /canceling statement due to user request/,
  );
  await runDuringMigration(() => assert.rejects(listUsers(), isUnavailable));
  await migrating;
  assert.deepEqual(await listUsers(), [], 'the migration was rolled back');
});

test("a starting replica waits for another replica's migration, even for longer than the statement timeout", async (t) => {
  const { database, old, runDuringMigration } = await openOldReplica(t);
  const first = assert.rejects(openStore({ database }, addNextMigration('select pg_sleep(60)')), /canceling statement due to user request/);
  const second = await openPostgres({ url: database, connections: 1 });
  t.after(() => second.close());
  await sql`set statement_timeout = 200`.execute(second.db);
  let migrating: Promise<void> | undefined;
  await runDuringMigration(async () => {
    migrating = migrate(second, addNextMigration(ADD_COLUMN));
    await waitForBlockedTransaction(old.db);
    await sql`select pg_sleep(0.4)`.execute(old.db);
  });
  await Promise.all([first, migrating]);
  assert.deepEqual((await sql`show statement_timeout`.execute(second.db)).rows, [{ statement_timeout: '200ms' }]);
});
