import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import type { OpenDatabase } from './engine.ts';
import { migrate, migrations } from './migrate.ts';
import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import { createEmptyDatabase } from './testing/postgres.ts';
import { exampleRows } from './testing/rows.ts';

const engines: [string, () => Promise<OpenDatabase>][] = [
  ['sqlite', async () => openSqlite({})],
  ['postgres', async () => openPostgres({ url: await createEmptyDatabase() })],
];

const listTables = async ({ db }: OpenDatabase) => (await db.introspection.getTables()).map(({ name }) => name).sort();
const createTableSql = (table: string) => `create table ${table} (id text);`;

for (const [engine, open] of engines) {
  test(`${engine}: a migration runs once`, async () => {
    const opened = await open();
    for (let i = 0; i < 2; i++) await migrate(opened.db, opened.description, { '0001-a': createTableSql('a') });
    await migrate(opened.db, opened.description, { '0001-a': createTableSql('a'), '0002-b': createTableSql('b') });
    assert.deepEqual(await listTables(opened), ['a', 'b']);
    await opened.close();
  });

  test(`${engine}: for principals from the first schema version, the migration sets \`consent\` to \`gives\` and adds no telephone number`, async () => {
    const opened = await open();
    await migrate(opened.db, opened.description, { '0001-world': migrations['0001-world']! });
    await opened.db
      .insertInto('principals')
      .values({ id: 'a', alias: 'a', name: 'A' } as never)
      .execute();
    await migrate(opened.db, opened.description);
    const kept = await opened.db.selectFrom('principals').selectAll().executeTakeFirst();
    assert.deepEqual({ ...kept }, { id: 'a', alias: 'a', name: 'A', telephone_number: null, consent: 'gives' });
    await opened.close();
  });

  test(`${engine}: a subscription keeps the delivery mode that an earlier version stored in a separate table`, async () => {
    const opened = await open();
    const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0008'));
    await migrate(opened.db, opened.description, earlier);
    const { secret, mode, reorder_ordinal, reorder_opened_at, ...subscription } = exampleRows.subscriptions;
    const db = opened.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    await db
      .insertInto('providers')
      .values({ ...exampleRows.providers })
      .execute();
    for (const id of ['a', 'b', 'c'])
      await db
        .insertInto('subscriptions')
        .values({ ...subscription, id, alias: id })
        .execute();
    const hold = { subscription_id: 'a', mode: '{"hold":true}', one_by_one: 0, ordinal: 0, opened_at: 0 };
    const reorder = { subscription_id: 'b', mode, one_by_one: 1, ordinal: 7, opened_at: 1_767_323_045_678 };
    await db.insertInto('delivery_modes').values([hold, reorder]).execute();
    await migrate(opened.db, opened.description);
    const kept = await opened.db.selectFrom('subscriptions').selectAll().orderBy('id').execute();
    assert.deepEqual(
      kept.map((row) => [row.id, row.secret, row.mode, row.reorder_ordinal, row.reorder_opened_at]),
      [
        ['a', null, '{"hold":true}', null, null],
        ['b', null, mode, 7, 1_767_323_045_678],
        ['c', null, null, null, null],
      ],
    );
    await opened.close();
  });

  test(`${engine}: a failed migration is rolled back completely, and the error contains the database's name`, async () => {
    const opened = await open();
    const attempt = migrate(opened.db, opened.description, {
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
/**
 * Migrations that do not match `ADDITIVE`, from before the first release. Before you add a migration here, read "Migrations" in
 * CONTRIBUTING.md.
 */
const NOT_ADDITIVE = ['0002-authorization', '0007-pending-deliveries', '0008-subscription-modes', '0009-users-of-account'];

test('replicas of the previous version work during and after a migration, because its statements are additive', () => {
  const listStatements = ([, text]: (typeof entries)[number]) => (typeof text === 'string' ? text : (text.postgres ?? '')).split(';');
  const entries = Object.entries(migrations).slice(1);
  const isAdditive = (statement: string) => statement.trim() === '' || ADDITIVE.test(statement.trim());
  const others = entries.filter((entry) => !listStatements(entry).every(isAdditive)).map(([name]) => name);
  assert.deepEqual(others, NOT_ADDITIVE);
});
