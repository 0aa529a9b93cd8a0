import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import type { OpenDatabase } from './engine.ts';
import { migrate } from './migrate.ts';
import { world } from './migrations/0001-world.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { freshDatabase } from './testing/postgres.ts';

const engines: [string, () => Promise<OpenDatabase>][] = [
  ['sqlite', async () => openSqlite({})],
  ['postgres', async () => openPostgres({ url: await freshDatabase() })],
];

const tablesOf = async ({ db }: OpenDatabase) => (await db.introspection.getTables()).map(({ name }) => name).sort();
const makes = (table: string, then = () => {}) => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema.createTable(table).addColumn('id', 'text').execute();
    then();
  },
});

for (const [engine, open] of engines) {
  test(`${engine}: a migration runs once`, async () => {
    const opened = await open();
    for (let i = 0; i < 2; i++) await migrate(opened.db, opened.where, { '0001-a': makes('a') });
    await migrate(opened.db, opened.where, { '0001-a': makes('a'), '0002-b': makes('b') });
    assert.deepEqual(await tablesOf(opened), ['a', 'b']);
    await opened.db.destroy();
  });

  test(`${engine}: the principals of a world that the first version kept give their consent, and have no number yet`, async () => {
    const opened = await open();
    await migrate(opened.db, opened.where, { '0001-world': world });
    await opened.db
      .insertInto('principals')
      .values({ id: 'a', alias: 'a', name: 'A' } as never)
      .execute();
    await migrate(opened.db, opened.where);
    const kept = await opened.db.selectFrom('principals').selectAll().executeTakeFirst();
    assert.deepEqual({ ...kept }, { id: 'a', alias: 'a', name: 'A', telephone_number: null, consent: 'gives' });
    await opened.db.destroy();
  });

  test(`${engine}: migrations that fail half-way leave nothing behind, and say where`, async () => {
    const opened = await open();
    const fail = () => {
      throw new Error('out of paper');
    };
    const attempt = migrate(opened.db, opened.where, { '0001-a': makes('a'), '0002-b': makes('b', fail) });
    await assert.rejects(attempt, ({ message }: Error) => message.includes(opened.where) && message.includes('out of paper'));
    assert.deepEqual(await tablesOf(opened), []);
    await opened.db.destroy();
  });
}
