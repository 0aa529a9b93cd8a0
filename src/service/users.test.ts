import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '../clock/clock.ts';
import { createIds } from '../clock/ids.ts';
import { defaultDecisions } from '../contract/generated/decisions.ts';
import { createCursors } from '../domain/cursors.ts';
import { openStore } from '../store/store.ts';
import { compileWorld } from '../world/compile.ts';
import { replaceWorld } from '../world/load.ts';
import type { ServiceContext } from './context.ts';
import { listUsers, updateUser } from './users.ts';

test('a list that was requested before changes, and is read after them, contains every user', async (t) => {
  const store = await openStore();
  t.after(() => store.close());
  const rows = compileWorld({ world: 'w', accounts: { a: { name: 'A' } }, users: { one: { account: 'a' }, two: { account: 'a' } } }).rows!;
  await store.writeExclusively((tx) => replaceWorld(tx, rows));
  let now = 0;
  const context: ServiceContext = {
    store,
    getListDatabase: () => store.db,
    clock: createClock(() => now),
    ids: createIds(),
    decisions: defaultDecisions,
    cursors: createCursors(() => 'k'),
  };
  for (const { id, account_id: accountId, created_at: createdAt, updated_at: updatedAt } of rows.users) {
    now += 1000;
    await store.write((tx) =>
      updateUser({ tx, context, actor: { kind: 'platform' } }, { id, accountId, createdAt, updatedAt, firstName: 'New' }),
    );
  }
  now = 0;
  const outcome = await listUsers(context, { kind: 'platform' }, { accountId: rows.accounts[0]!.id, pageSize: 10 });
  assert.ok('body' in outcome && 'json' in outcome.body);
  const { entities } = JSON.parse(outcome.body.json) as { entities: { id: string }[] };
  assert.deepEqual(entities.map(({ id }) => id).toSorted(), rows.users.map(({ id }) => id).toSorted());
});
