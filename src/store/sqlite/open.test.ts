import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Executor } from '../engine.ts';
import { openStore } from '../store.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-sqlite-'));
after(() => rmSync(folder, { recursive: true }));

const store = new URL('../store.ts', import.meta.url).href;
const run = promisify(execFile);

const runInProcess = (text: string, env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, ['--input-type=module', '-e', `import { openStore } from '${store}';${text}`], {
    env: { ...process.env, ...env },
  });

for (const isLarge of [false, true]) {
  // SQLite's temporary database would lose the 150 updates (docs/decisions/0003).
  test(`in the default store${isLarge ? ' of a large world' : ''}, a committed write remains after a later write is rolled back and an empty write is committed`, async () => {
    const { db, write, close } = await openStore({ isLarge });
    const createMetaWriter = (fillLetter: string, firstKey: number, rowCount: number) => (tx: Executor) => {
      const rows = Array.from({ length: rowCount }, (_, n) => ({ key: String(firstKey + n), value: fillLetter.repeat(3500) }));
      return tx.replaceInto('meta').values(rows).execute();
    };
    // The refused write is larger than this cache, so SQLite writes to the file before the rollback.
    if (isLarge) await sql`pragma cache_size = -500`.execute(db);
    await write(createMetaWriter('a', 1, 2000));
    await write(createMetaWriter('b', 1, 150));
    const refused = write(async (tx) => {
      await createMetaWriter('c', 1001, 300)(tx);
      throw new Error('refused');
    });
    await assert.rejects(refused, /refused/);
    await write(async () => {});
    const values = await db.selectFrom('meta').select('value').execute();
    const count = (letter: string) => values.filter(({ value }) => value.startsWith(letter)).length;
    assert.deepEqual([count('a'), count('b')], [1850, 150]);
    assert.equal((await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)).rows[0]?.integrity_check, 'ok');
    await close();
  });
}

test("a large world's rows are in a file, which is already removed while the kit runs", {
  skip: process.platform === 'win32',
}, async () => {
  const temporary = mkdtempSync(join(folder, 'temporary-'));
  const { stdout } = await runInProcess(
    `import { readdirSync } from 'node:fs'; import { sql } from 'kysely';
    const { db, write } = await openStore({ isLarge: true });
    await write((tx) => tx.insertInto('meta').values({ key: 'k', value: 'x'.repeat(1_000_000) }).execute());
    const { rows: [{ file }] } = await sql\`pragma database_list\`.execute(db);
    console.log(JSON.stringify([file, readdirSync(process.env.TMPDIR)]));
    process.kill(process.pid, 'SIGKILL');`,
    { TMPDIR: temporary },
  ).catch((killed) => killed);
  const [file, remaining] = JSON.parse(stdout);
  assert.ok(file.startsWith(join(temporary, 'xpk-world-')), file);
  assert.deepEqual([remaining, readdirSync(temporary)], [[], []]);
});

test('a large world is in memory if no folder for temporary files is writable', { skip: process.platform === 'win32' }, async () => {
  const { stdout } = await runInProcess(
    `import { sql } from 'kysely'; const { db } = await openStore({ isLarge: true });
    console.log((await sql\`pragma database_list\`.execute(db)).rows[0].file === '')`,
    { TMPDIR: join(folder, 'missing') },
  );
  assert.equal(stdout, 'true\n');
});

test('the first load of a large world into a data file writes it once, and a crash during the load leaves an empty store', async () => {
  const file = join(folder, 'large.db');
  const killed = await runInProcess(
    `import { existsSync, statSync } from 'node:fs'; const { writeExclusively } = await openStore({ data: ${JSON.stringify(file)}, isLarge: true });
    await writeExclusively(async (tx) => {
      const value = 'x'.repeat(1_000_000);
      for (let n = 0; n < 100; n++) await tx.insertInto('meta').values({ key: String(n), value }).execute();
      console.log(existsSync(${JSON.stringify(`${file}-wal`)}), statSync(${JSON.stringify(file)}).size > 30_000_000);
      process.kill(process.pid, 'SIGKILL');
    });`,
  ).catch((error) => error);
  assert.equal(killed.stdout, 'false true\n');
  const { db, close } = await openStore({ data: file, isLarge: true });
  assert.deepEqual(await db.selectFrom('meta').selectAll().execute(), []);
  await close();
});

test('after its first load, a new data file has a write-ahead log', async () => {
  const { db, writeExclusively, close } = await openStore({ data: join(folder, 'loaded.db'), isLarge: true });
  const readJournalMode = async () => (await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db)).rows[0]!.journal_mode;
  assert.equal(await readJournalMode(), 'delete');
  await writeExclusively(async () => {});
  assert.equal(await readJournalMode(), 'wal');
  await close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('loaded.db')),
    ['loaded.db'],
  );
});

test('the default store opens no file, not even for a large sort', { skip: process.platform !== 'linux' }, async () => {
  const { stdout } = await runInProcess(
    `import { sql } from 'kysely'; import { readdirSync, readlinkSync } from 'node:fs';
    const { db } = await openStore();
    for (let i = 0; i < 2000; i++) await db.insertInto('meta').values({ key: String(i), value: 'x'.repeat(9999) }).execute();
    const files = () => readdirSync('/proc/self/fd').flatMap((fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch { return []; } });
    for await (const row of db.selectFrom('meta').selectAll().orderBy('value').stream()) {
      console.log(JSON.stringify(files().filter((path) => path.includes('etilqs'))));
      break;
    }`,
  );
  assert.equal(stdout, '[]\n');
});

test('a data file is synchronized at every commit, so that it survives a power failure', async () => {
  const { db, close } = await openStore({ data: join(folder, 'safe.db') });
  const { rows: synchronous } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
  const { rows: journal } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db);
  assert.deepEqual([synchronous[0]?.synchronous, journal[0]?.journal_mode], [2, 'wal']);
  await close();
  assert.equal(existsSync(join(folder, 'safe.db-wal')), false);
});

test('if several processes open a new file at once, each gets a working store, or the error that another process is using the file', async () => {
  const file = join(folder, 'shared.db');
  const createWriter = (name: string) =>
    runInProcess(
      `const open = () => openStore({ data: ${JSON.stringify(file)} }).catch((error) => {
        if (!error.message.includes('another process is using it')) throw error;
        return open();
      });
      const store = await open();
      for (let i = 0; i < 20; i++) {
        await store.write(async (tx) => {
          const row = await tx.selectFrom('meta').select('value').where('key', '=', 'n').executeTakeFirst();
          if (row === undefined) await tx.insertInto('meta').values({ key: 'n', value: '1' }).execute();
          else await tx.updateTable('meta').set({ value: String(Number(row.value) + 1) }).where('key', '=', 'n').execute();
        });
      }
      await store.close(); console.log('${name}')`,
    );
  await Promise.all(['a', 'b', 'c'].map(createWriter));
  const { db, close } = await openStore({ data: file });
  assert.equal((await db.selectFrom('meta').select('value').executeTakeFirst())?.value, '60');
  await close();
});

const foreign = join(folder, 'foreign.db');
const other = new DatabaseSync(foreign);
other.exec('create table theirs (x)');
other.close();
writeFileSync(join(folder, 'letter.txt'), 'This is a text file. '.repeat(100));

for (const [what, file, message] of [
  ['a folder', folder, /it is a folder\. Use a file in it/],
  ['a file in a folder that does not exist', join(folder, 'no', 'x.db'), /there is no folder .*no\. Create the folder/],
  ['a file that is not a database', join(folder, 'letter.txt'), /letter\.txt: it is not a SQLite database/],
  ["another program's database", foreign, /it is another program's SQLite database/],
] as const) {
  test(`${what} is rejected as a data file`, async () => {
    await assert.rejects(openStore({ data: file }), message);
  });
}

test('a file that is not writable is rejected', { skip: process.platform !== 'linux' }, async () => {
  await assert.rejects(openStore({ data: '/proc/world.db' }), /it is not writable\. Use a file that this user may read and write/);
});
