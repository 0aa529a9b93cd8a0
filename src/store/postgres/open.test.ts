import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { createIds } from '../../clock/ids.ts';
import { announce, type Change } from '../changes.ts';
import { isUnavailable } from '../errors.ts';
import { openStore, type Store } from '../store.ts';
import { freePort } from '../testing/free-port.ts';
import { listen } from '../testing/listen.ts';
import { createDatabase, createEmptyDatabase } from '../testing/postgres.ts';
import { startProxy } from '../testing/proxy.ts';
import { insertExample } from '../testing/rows.ts';
import { maskSecrets } from './explain.ts';
import { PROBE_INTERVAL_MS } from './watch.ts';

const testPostgres = (title: string, body: (store: Store) => Promise<void>) =>
  test(title, async () => {
    const store = await openStore({ database: await createDatabase() });
    try {
      await body(store);
    } finally {
      await store.close();
    }
  });

const replaceUrlParts = (url: string, parts: Partial<Pick<URL, 'password' | 'pathname' | 'port'>>) =>
  Object.assign(new URL(url), parts).href;

const getOpenError = async (database: string) => {
  const error = await openStore({ database }).then(
    () => assert.fail('openStore should have rejected'),
    (reason: Error) => reason,
  );
  return JSON.stringify([error.message, error.stack, error.cause]);
};

test('if several replicas open a new database at once, each gets a working store', async () => {
  const database = await createEmptyDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ database })));
  await Promise.all(stores.map(({ write }, i) => write((tx) => insertExample(tx, 'accounts', { id: `${i}`, alias: `${i}` }))));
  for (const { db } of stores) assert.equal((await db.selectFrom('accounts').select('id').execute()).length, 4);
  await Promise.all(stores.map((store) => store.close()));
});

testPostgres('a write runs again after a deadlock', async ({ db, write }) => {
  for (const key of ['a', 'b']) await insertExample(db, 'meta', { key, value: '' });
  let signalRowLocked: () => void = () => {};
  const bothHoldOneRow = new Promise<void>((resolve) => {
    let arrived = 0;
    signalRowLocked = () => void (++arrived === 2 && resolve());
  });
  const append = (first: string, second: string) =>
    write(async (tx) => {
      await tx
        .updateTable('meta')
        .set({ value: sql`value || ${first}::text` })
        .where('key', '=', first)
        .execute();
      signalRowLocked();
      await bothHoldOneRow;
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

testPostgres('if PostgreSQL cancels a read because of a deadlock, the error of the read counts as temporary', async ({ db }) => {
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const lockAndRead = (own: 'meta' | 'accounts', other: 'meta' | 'accounts', index: 0 | 1) =>
    db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(own)} in access exclusive mode`.execute(tx);
      locked[index].resolve();
      await Promise.all(locked.map(({ promise }) => promise));
      await tx.selectFrom(other).selectAll().execute();
    });
  const outcomes = await Promise.allSettled([lockAndRead('meta', 'accounts', 0), lockAndRead('accounts', 'meta', 1)]);
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  assert.deepEqual(errors.map(isUnavailable), [true]);
});

testPostgres('a broken connection fails its write, and the next write works', async ({ db, write }) => {
  const breaking = write(async (tx) => {
    await insertExample(tx, 'accounts');
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  await assert.rejects(breaking);
  assert.deepEqual(await db.selectFrom('accounts').select('id').execute(), []);
});

testPostgres('the store works after the server closes idle connections', async ({ db }) => {
  await Promise.all([insertExample(db, 'meta', { key: 'a' }), insertExample(db, 'meta', { key: 'b' })]);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    db,
  );
  assert.equal((await db.selectFrom('meta').select('key').execute()).length, 2);
});

testPostgres('a query fails if a result is too large for a JavaScript number', async ({ db }) => {
  await assert.rejects(sql`select 9007199254740993`.execute(db), /9007199254740993, which is too large for a JavaScript number/);
});

test("the store's number parser does not affect other code that uses pg in the process", async () => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: await createDatabase() });
  await client.connect();
  assert.deepEqual((await client.query('select count(*) from pg_class where false')).rows, [{ count: '0' }]);
  await client.end();
});

test('an error about a wrong password does not contain the password', async () => {
  const message = await getOpenError(replaceUrlParts(await createDatabase(), { password: 's3cret-word' }));
  assert.match(message, /the password was refused/);
  assert.doesNotMatch(message, /s3cret-word/);
});

test('a database URL in a message is masked, but a word that happens to be the password is not', () => {
  const url = 'postgres://ada:p%40@db.test/world';
  assert.equal(maskSecrets(`Cannot reach ${url} (ada:p@@db.test)`, url), 'Cannot reach *** (***db.test)');
  assert.equal(maskSecrets('Connection terminated unexpectedly', 'postgres://ada:ex@db.test/world'), 'Connection terminated unexpectedly');
});

test('an error about an unreachable server contains its host and port, but not the password', async () => {
  const port = await freePort();
  const message = await getOpenError(`postgres://ada:s3cret-word@127.0.0.1:${port}/world`);
  assert.match(message, new RegExp(`world.*127\\.0\\.0\\.1:${port}.*ada.*nothing listens at this address`));
  assert.doesNotMatch(message, /s3cret-word/);
});

test('the error for a missing database says that the database does not exist', async () => {
  assert.match(
    await getOpenError(replaceUrlParts(await createDatabase(), { pathname: '/nowhere' })),
    /nowhere.*there is no database with this name/,
  );
});

test('a database whose encoding is not UTF-8 is rejected', async () => {
  const url = await createDatabase();
  const { db, close } = await openStore({ database: url });
  await sql`create database latin encoding 'LATIN1' locale 'C' locale_provider libc template template0`.execute(db);
  await close();
  assert.match(await getOpenError(replaceUrlParts(url, { pathname: '/latin' })), /LATIN1.*UTF8/);
});

test('while a transaction is open on any replica, findMinimumFutureId returns an id below all ids that the transaction stores', async () => {
  const database = await createDatabase();
  const [store, replica] = await Promise.all([openStore({ database }), openStore({ database })]);
  const later = Date.now() + 60_000;
  const id = await replica.write(async (tx) => {
    const key = createIds().uuid();
    await insertExample(tx, 'meta', { key, value: '' });
    assert.ok((await store.findMinimumFutureId(later)) < key);
    return key;
  });
  assert.ok((await store.findMinimumFutureId(later)) > id);
  await Promise.all([store.close(), replica.close()]);
});

test("a store reports a replica's changes, even after the store loses its connection", async () => {
  const database = await createDatabase();
  const [store, replica] = await Promise.all([openStore({ database }), openStore({ database })]);
  const waitForReport = (expected: Change) =>
    new Promise<void>((resolve) => {
      const unsubscribe = store.changes.subscribe((change) => {
        if (change !== expected) return;
        unsubscribe();
        resolve();
      });
    });
  // Write twice: the first report may come from opening the connection, so only the second shows that notifications arrive.
  for (let write = 0; write < 2; write++) {
    const recorded = waitForReport('recorded');
    await replica.write(async (tx) => announce(tx, 'recorded'));
    await recorded;
  }
  const due = waitForReport('due');
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'xpk-watch'`.execute(replica.db);
  await due;
  await Promise.all([store.close(), replica.close()]);
});

test('a pooler that drops notifications is refused, and the error says which address to use', async () => {
  const server = new URL(await createDatabase());
  const pooler = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname);
    let rest: Buffer = Buffer.alloc(0);
    upstream.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      // A message consists of a type (1 byte), its length without the type (4 bytes), and a body.
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1);
        if (rest[0] !== 'A'.charCodeAt(0)) client.write(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
    client.pipe(upstream);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => {});
      socket.on('close', () => other.destroy());
    }
  });
  await using listening = await listen(pooler);
  const pooled = replaceUrlParts(server.href, { port: String(listening.port) });
  assert.match(await getOpenError(pooled), /does not deliver notifications.*session mode/);
});

testPostgres('statements have a time limit, except while the world is replaced', async ({ db, write, writeExclusively }) => {
  const readTimeout = async (tx: Pick<typeof db, 'getExecutor'>) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(tx as typeof db)).rows[0]?.statement_timeout;
  assert.deepEqual(
    [await readTimeout(db), await write(readTimeout), await writeExclusively(readTimeout), await write(readTimeout)],
    ['1min', '1min', '0', '1min'],
  );
});

test('`replicas` returns the number of processes that use the database', async () => {
  const database = await createDatabase();
  const first = await openStore({ database });
  assert.equal(await first.replicas(), 1);
  const second = await openStore({ database });
  while ((await first.replicas()) < 2) await turn();
  await second.close();
  while ((await first.replicas()) > 1) await turn();
  await first.close();
});

test('after an outage, the health check reports that the server is up again, even if nothing else uses the database', async (t) => {
  const proxy = await startProxy(await createDatabase());
  t.after(() => proxy.close());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = await openStore({ database: proxy.url });
  t.after(() => store.close());
  // Ends the probes that opening the store has started.
  t.mock.timers.tick(PROBE_INTERVAL_MS);
  await proxy.stop();
  assert.equal((await store.health()).status, 'down');
  await proxy.resume();
  t.mock.timers.tick(PROBE_INTERVAL_MS);
  while ((await store.health()).status !== 'up') await turn();
});
