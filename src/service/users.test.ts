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

test('a list that waits for a database connection contains every user, even if users change meanwhile', async (t) => {
  const store = await openStore();
  t.after(() => store.close());
  const rows = compileWorld({ world: 'w', accounts: { a: { name: 'A' } }, users: { one: { account: 'a' }, two: { account: 'a' } } }).rows!;
  await store.writeExclusively((tx) => replaceWorld(tx, rows));
  let now = 0;
  const { promise: connected, resolve: connect } = Promise.withResolvers<void>();
  const { promise: waits, resolve: markWaiting } = Promise.withResolvers<void>();
  const read: typeof store.read = async (work) => {
    markWaiting();
    await connected;
    return store.read(work);
  };
  const context: ServiceContext = {
    store: { ...store, read },
    getListDatabase: () => store.db,
    clock: createClock(() => now),
    ids: createIds(),
    decisions: defaultDecisions,
    cursors: createCursors(() => 'k'),
  };
  const listed = listUsers(context, { kind: 'platform' }, { accountId: rows.accounts[0]!.id, pageSize: 10 });
  await waits;
  for (const { id, account_id: accountId, created_at: createdAt, updated_at: updatedAt } of rows.users) {
    now += 1000;
    await store.write((tx) =>
      updateUser({ tx, context, actor: { kind: 'platform' } }, { id, accountId, createdAt, updatedAt, firstName: 'New' }),
    );
  }
  connect();
  const outcome = await listed;
  assert.ok('body' in outcome && 'json' in outcome.body);
  const { entities } = JSON.parse(outcome.body.json) as { entities: { id: string }[] };
  assert.deepEqual(entities.map(({ id }) => id).toSorted(), rows.users.map(({ id }) => id).toSorted());
});
