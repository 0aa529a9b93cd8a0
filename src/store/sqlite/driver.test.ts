import assert from 'node:assert/strict';
import { constants, DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import { prepared } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { NodeSqliteDialect } from './driver.ts';

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
