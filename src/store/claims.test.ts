import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, mock, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { claimDeliveries, findClaimedElsewhere } from './claims.ts';
import { findDueOwners, findDueOwnersInLane, type Lane, nextDueAfter, SEARCH_START } from './due.ts';
import type { Executor } from './engine.ts';
import { openStore, type Store } from './store.ts';
import { createDatabase } from './testing/postgres.ts';
import { insertExample } from './testing/rows.ts';

const MOMENT = { now: 0, wallClockMs: 0 };

let store: Store;
before(async () => {
  store = await openStore();
});
after(() => store.close());

/** Works only for a query's first execution, because later executions reuse the prepared statement. */
async function explainReads(query: (db: Executor) => Promise<unknown>): Promise<string[]> {
  const { mock: prepare } = mock.method(DatabaseSync.prototype, 'prepare');
  await query(store.db);
  const statements = prepare.calls.map(({ arguments: [text] }) => text);
  prepare.restore();
  const plans = await Promise.all(
    statements.map((statement) => store.db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`))),
  );
  return plans.flatMap(({ rows }) => rows.map(({ detail }) => detail)).filter((detail) => detail.includes(' deliveries'));
}

function expectLaneIndexUsed(lane: Lane, planLines: readonly string[]): void {
  const readsWithoutId = planLines.filter((read) => !read.endsWith('(id=?)'));
  assert.ok(readsWithoutId.length > 0);
  for (const read of readsWithoutId) assert.match(read, new RegExp(`INDEX deliveries:subscription_id,due_at,id:${lane}\\b`));
}

for (const lane of ['first', 'repeat'] as const) {
  test(`findDueOwnersInLane finds due ${lane} attempts with the index for ${lane} attempts`, async () => {
    const reads = await explainReads((db) => findDueOwnersInLane(db, lane, MOMENT, ''));
    expectLaneIndexUsed(lane, reads);
  });

  test(`claimDeliveries finds ${lane} attempts with the index for ${lane} attempts`, async () => {
    const owner = { subscriptionId: 'subscription', lane };
    const reads = await explainReads((db) => claimDeliveries(db, owner, { ...MOMENT, limit: 10, claim: 'mine', until: 1 }));
    expectLaneIndexUsed(lane, reads);
  });
}

test('the queries for due deliveries read pending deliveries in due-time order', async () => {
  const planLines = [
    ...(await explainReads((db) => findDueOwners(db, MOMENT, SEARCH_START))),
    ...(await explainReads((db) => nextDueAfter(db, MOMENT))),
  ];
  assert.equal(planLines.length, 2);
  for (const read of planLines) assert.match(read, /INDEX deliveries:due_at:pending \(due_at[<>]\?\)/);
});

test('a claimed delivery can be claimed again when the claim has expired, but not earlier', async (t) => {
  const own = await openStore();
  t.after(() => own.close());
  for (const table of ['providers', 'subscriptions', 'events'] as const) await insertExample(own.db, table);
  await insertExample(own.db, 'deliveries', { state: 'pending', attempts: 0, due_at: 0, claim: null, claimed_until: null });
  const owner = { subscriptionId: 'subscription-1', lane: 'first' } as const;
  const countClaimedDeliveries = (wallClockMs: number) =>
    own.write(
      async (tx) =>
        (await claimDeliveries(tx, owner, { now: 0, wallClockMs, limit: 1, claim: `${wallClockMs}`, until: wallClockMs + 10 })).length,
    );
  assert.deepEqual([await countClaimedDeliveries(0), await countClaimedDeliveries(9), await countClaimedDeliveries(10)], [1, 0, 1]);
});

test('postgres: while one replica claims deliveries of a subscription with the mode `reorder`, other replicas skip the subscription', async () => {
  const database = await createDatabase();
  const [one, other] = [await openStore({ database }), await openStore({ database })];
  await insertExample(one.db, 'providers');
  await insertExample(one.db, 'subscriptions');
  const listSubscriptionsClaimedElsewhere = (tx: Executor) => findClaimedElsewhere(tx).then((ids) => [...ids]);
  await one.write(async (tx) => {
    assert.deepEqual(await listSubscriptionsClaimedElsewhere(tx), []);
    assert.deepEqual(await other.write(listSubscriptionsClaimedElsewhere), ['subscription-1']);
  });
  assert.deepEqual(await other.write(listSubscriptionsClaimedElsewhere), []);
  await Promise.all([one.close(), other.close()]);
});

test('postgres: of the deliveries to a subscription with the mode `reorder`, only one is claimed, even if the statistics count no deliveries', async (t) => {
  const own = await openStore({ database: await createDatabase() });
  t.after(() => own.close());
  await insertExample(own.db, 'providers');
  await insertExample(own.db, 'subscriptions');
  const insertDueDelivery = async (id: string) => {
    await insertExample(own.db, 'events', { id });
    await insertExample(own.db, 'deliveries', { id, event_id: id, attempts: 0, due_at: 0, claim: null, claimed_until: null });
  };
  await insertDueDelivery('of the previous world');
  await own.db.deleteFrom('deliveries').execute();
  // After a reset, autovacuum does this at some time.
  await sql`analyze deliveries`.execute(own.db);
  for (const id of ['1', '2', '3']) await insertDueDelivery(id);
  const owner = { subscriptionId: 'subscription-1', lane: 'first' } as const;
  const claimed = await own.write((tx) => claimDeliveries(tx, owner, { ...MOMENT, limit: 10, claim: 'mine', until: 1 }));
  assert.deepEqual(
    claimed.map(({ id }) => id),
    ['1'],
  );
});
