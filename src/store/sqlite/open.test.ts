import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

// SQLite's temporary database would lose the 150 updates (docs/decisions/0003).
test('in the default store, a committed write remains after a later write is rolled back and an empty write is committed', async () => {
  const { db, write, close } = await openStore();
  const createMetaWriter = (fillLetter: string, firstKey: number, rowCount: number) => (tx: Executor) => {
    const rows = Array.from({ length: rowCount }, (_, n) => ({ key: String(firstKey + n), value: fillLetter.repeat(3500) }));
    return tx.replaceInto('meta').values(rows).execute();
  };
  await write(createMetaWriter('a', 1, 2000));
  await write(createMetaWriter('b', 1, 150));
  const refused = write(async (tx) => {
    await createMetaWriter('c', 1001, 300)(tx);
    throw new Error('refused');
  });
  await assert.rejects(refused, /refused/);
  await write(async () => {});
  const values = await db.selectFrom('meta').select('value').execute();
  assert.equal(values.filter(({ value }) => value.startsWith('b')).length, 150);
  await close();
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
