import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openStore, type Store } from '../store.ts';
import { freshDatabase } from '../testing/postgres.ts';
import { add } from '../testing/rows.ts';
import { withoutSecrets } from './open.ts';

const check = (title: string, body: (store: Store) => Promise<void>) =>
  test(title, async () => {
    const store = await openStore({ database: await freshDatabase() });
    try {
      await body(store);
    } finally {
      await store.close();
    }
  });

/** The URL with parts of it changed. */
const changed = (url: string, parts: Partial<Pick<URL, 'password' | 'pathname' | 'port'>>) => Object.assign(new URL(url), parts).href;

const messageOf = async (database: string) => {
  const error = await openStore({ database }).then(
    () => assert.fail('it should have failed'),
    (it: Error) => it,
  );
  return JSON.stringify([error.message, error.stack, error.cause]);
};

test('replicas that open one new database at once all get a working store', async () => {
  const database = await freshDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ database })));
  await Promise.all(stores.map(({ write }, i) => write((tx) => add(tx, 'accounts', { id: `${i}`, alias: `${i}` }))));
  for (const { db } of stores) assert.equal((await db.selectFrom('accounts').select('id').execute()).length, 4);
  await Promise.all(stores.map((store) => store.close()));
});

check('a write that PostgreSQL gives up on because of a deadlock is done again', async ({ db, write }) => {
  for (const key of ['a', 'b']) await add(db, 'meta', { key, value: '' });
  let meet: () => void = () => {};
  const bothHoldOne = new Promise<void>((resolve) => {
    let arrived = 0;
    meet = () => void (++arrived === 2 && resolve());
  });
  const append = (first: string, second: string) =>
    write(async (tx) => {
      await tx
        .updateTable('meta')
        .set({ value: sql`value || ${first}::text` })
        .where('key', '=', first)
        .execute();
      meet();
      await bothHoldOne;
      await tx
        .updateTable('meta')
        .set({ value: sql`value || ${first}::text` })
        .where('key', '=', second)
        .execute();
    });
  await Promise.all([append('a', 'b'), append('b', 'a')]);
  const values = (await db.selectFrom('meta').select('value').execute()).map((row) => [...row.value].sort().join(''));
  assert.deepEqual(values, ['ab', 'ab']);
});

check('a read does not see what was committed since its first query', async ({ read, write }) => {
  await read(async (db) => {
    const ids = async () => (await db.selectFrom('accounts').select('id').execute()).length;
    assert.equal(await ids(), 0);
    await write((tx) => add(tx, 'accounts'));
    assert.equal(await ids(), 0);
  });
});

check('a connection that breaks fails its write, and the next one works', async ({ db, write }) => {
  const breaking = write(async (tx) => {
    await add(tx, 'accounts');
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  await assert.rejects(breaking);
  assert.deepEqual(await db.selectFrom('accounts').select('id').execute(), []);
});

check('idle connections that the server closes do not end the process', async ({ db }) => {
  await Promise.all([add(db, 'meta', { key: 'a' }), add(db, 'meta', { key: 'b' })]);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    db,
  );
  assert.equal((await db.selectFrom('meta').select('key').execute()).length, 2);
});

check('a number too large to be exact is an error, not a wrong digit', async ({ db }) => {
  await assert.rejects(sql`select 9007199254740993`.execute(db), /9007199254740993, which a number cannot hold/);
});

test('the numbers of other users of the library are left alone', async () => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: await freshDatabase() });
  await client.connect();
  assert.deepEqual((await client.query('select count(*) from pg_class where false')).rows, [{ count: '0' }]);
  await client.end();
});

test('a wrong password is not told to anybody', async () => {
  const message = await messageOf(changed(await freshDatabase(), { password: 's3cret-word' }));
  assert.match(message, /the password was refused/);
  assert.doesNotMatch(message, /s3cret-word/);
});

test('an address is masked where it is repeated, and a short password leaves other words alone', () => {
  const url = 'postgres://ada:p%40@db.test/world';
  assert.equal(withoutSecrets(`Cannot reach ${url} (ada:p@@db.test)`, url), 'Cannot reach *** (***db.test)');
  assert.equal(
    withoutSecrets('Connection terminated unexpectedly', 'postgres://ada:ex@db.test/world'),
    'Connection terminated unexpectedly',
  );
});

test('a server that is not there is named, without the password', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const message = await messageOf(`postgres://ada:s3cret-word@127.0.0.1:${port}/world`);
  assert.match(message, new RegExp(`world.*127\\.0\\.0\\.1:${port}.*ada.*nothing listens there`));
  assert.doesNotMatch(message, /s3cret-word/);
});

test('a database that does not exist is said to be missing', async () => {
  assert.match(await messageOf(changed(await freshDatabase(), { pathname: '/nowhere' })), /nowhere.*there is no database of that name/);
});

test('a database whose encoding cannot hold every name is refused', async () => {
  const url = await freshDatabase();
  const { db, close } = await openStore({ database: url });
  await sql`create database latin encoding 'LATIN1' locale 'C' locale_provider libc template template0`.execute(db);
  await close();
  assert.match(await messageOf(changed(url, { pathname: '/latin' })), /LATIN1.*UTF8/);
});
