import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { assignmentPage } from './assignments.ts';
import { openStore } from './store.ts';

test("SQLite reads a page of an account's assignments from one index, without reading the table", async (t) => {
  const store = await openStore();
  t.after(() => store.close());
  const { mock: prepare } = t.mock.method(DatabaseSync.prototype, 'prepare');
  const params = { accountId: 'account', providerId: 'provider', principalId: undefined, after: 'id', limit: 101 };
  for (const order of ['asc', 'desc'] as const) {
    await assignmentPage(params, order)(store.db, params);
    const statement = prepare.calls.at(-1)!.arguments[0];
    const plan = await store.db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
    assert.match(plan.rows[0]!.detail, /COVERING INDEX assignments:account_id,id \(account_id=\? AND id[<>]\?\)/);
  }
});
