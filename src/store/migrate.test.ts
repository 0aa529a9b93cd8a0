import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenDatabase } from './engine.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import { createEmptyDatabase } from './testing/postgres.ts';

const engines: [string, () => Promise<OpenDatabase>][] = [
  ['sqlite', async () => openSqlite({})],
  ['postgres', async () => openPostgres({ url: await createEmptyDatabase() })],
];

const listTables = async ({ db }: OpenDatabase) => (await db.introspection.getTables()).map(({ name }) => name).sort();
const createTableSql = (table: string) => `create table ${table} (id text);`;

for (const [engine, open] of engines) {
  test(`${engine}: a migration runs once`, async () => {
    const opened = await open();
    for (let i = 0; i < 2; i++) await migrate(opened, { '0001-a': createTableSql('a') });
    await migrate(opened, { '0001-a': createTableSql('a'), '0002-b': createTableSql('b') });
    assert.deepEqual(await listTables(opened), ['a', 'b']);
    await opened.close();
  });

  test(`${engine}: a database from before the first release is refused and stays as it is`, async () => {
    const opened = await open();
    await migrate(opened, { '0001-world': createTableSql('meta') });
    await assert.rejects(migrate(opened), /could not be created or updated: .*meta.* already exists/);
    assert.deepEqual(await listTables(opened), ['meta']);
    await opened.close();
  });

  test(`${engine}: a failed migration is rolled back completely, and the error contains the database's name`, async () => {
    const opened = await open();
    const attempt = migrate(opened, {
      '0001-a': createTableSql('a'),
      '0002-b': `${createTableSql('b')} this is not SQL;`,
    });
    await assert.rejects(attempt, ({ message }: Error) => message.includes(opened.description) && message.includes('syntax error'));
    assert.deepEqual(await listTables(opened), []);
    await opened.close();
  });
}

/**
 * Matches statements that do not break the previous version. Excludes `create unique index`, because a unique index could reject that
 * version's writes.
 */
const ADDITIVE =
  /^(create (unlogged )?table|create index|alter table \w+ (add column(?!.* not null(?! default))|alter column|set)|insert|update) /;

test('replicas of the previous version work during and after a migration, because its statements are additive', () => {
  const released = Object.entries(migrations).filter(([name]) => name > '0015-ended-deliveries');
  for (const [name, text] of released) {
    const statements = (typeof text === 'string' ? text : (text.postgres ?? '')).split(';').map((statement) => statement.trim());
    for (const statement of statements) assert.match(statement, statement === '' ? /^/ : ADDITIVE, name);
  }
});
