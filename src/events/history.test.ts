import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KyselyPlugin, sql } from 'kysely';
import { createIds } from '../clock/ids.ts';
import { resendDeliveries } from '../store/delivery-list.ts';
import { openStore, type Store } from '../store/store.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { createRemoval } from './history.ts';

const CAPACITY = 10;
const EVENTS = 250;
const at = '2026-01-01T00:00:00.000Z';
const ids = createIds();
const { signal } = new AbortController();

/** Half of the events have a pending delivery, and an acknowledged one after three attempts. The other events have no deliveries. */
async function insertHistory({ write }: Store): Promise<void> {
  const event = { type: 'raw', timestamp: at, provider_id: 'p', experience_id: 'x', entity_id: 'e', data: '{}', actor: null };
  const states = ['pending', 'acknowledged'] as const;
  const events = Array.from({ length: 2 * EVENTS }, () => ({ ...event, id: ids.uuid() }));
  const deliveries = events.slice(EVENTS / 2, -EVENTS / 2).flatMap(({ id: event_id }) =>
    states.map((state) => {
      const id = ids.uuid();
      return { id, event_id, subscription_id: state, body: '{}', headers: null, created_at: at, state, attempts: 3, due_at: 0 };
    }),
  );
  const attempts = deliveries
    .filter(({ state }) => state === 'acknowledged')
    .flatMap(({ id: delivery_id }) =>
      [1, 2, 3].map((number) => ({ id: ids.uuid(), delivery_id, number, at, duration_ms: 1, status: 204, error: null, next_at: null })),
    );
  await write(async (tx) => {
    await tx.insertInto('events').values(events).execute();
    await tx.insertInto('deliveries').values(deliveries).execute();
    await tx.insertInto('delivery_attempts').values(attempts).execute();
  });
}

async function countRows({ db }: Store) {
  const count = async (table: 'events' | 'deliveries' | 'delivery_attempts') =>
    Number((await db.selectFrom(table).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count);
  return { events: await count('events'), deliveries: await count('deliveries'), attempts: await count('delivery_attempts') };
}

/** Counts the transactions, and the rows that their queries return. */
function measure(store: Store) {
  const cost = { transactions: 0, rows: 0, mostRows: 0 };
  const write: Store['write'] = (work) => {
    cost.transactions++;
    let rows = 0;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows += result.rows.length;
        return result;
      },
    };
    return store.write(async (tx) => {
      const result = await work(tx.withPlugin(counter));
      cost.rows += rows;
      cost.mostRows = Math.max(cost.mostRows, rows);
      return result;
    });
  };
  return { cost, store: { ...store, write } };
}

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`an old event with a pending delivery keeps no ended deliveries, and is not read again until the delivery ends, on ${engine}`, async () => {
    const store = await openStore(engine === 'PostgreSQL' ? { database: await createDatabase() } : {});
    try {
      await insertHistory(store);
      const { cost, store: measured } = measure(store);
      const removeOld = createRemoval(measured, CAPACITY, signal);
      await removeOld();
      assert.deepEqual(await countRows(store), { events: EVENTS + CAPACITY, deliveries: EVENTS, attempts: 0 });
      assert.ok(cost.transactions >= 3 && cost.mostRows <= 250, JSON.stringify(cost));

      Object.assign(cost, { transactions: 0, rows: 0 });
      await removeOld();
      assert.ok(cost.transactions <= 1 && cost.rows <= 1, JSON.stringify(cost));

      const last = store.db.selectFrom('deliveries').select('id').orderBy('id').limit(1);
      await store.db.updateTable('deliveries').set({ state: 'exhausted' }).where('id', 'in', last).execute();
      await removeOld();
      assert.deepEqual(await countRows(store), { events: EVENTS + CAPACITY - 1, deliveries: EVENTS - 1, attempts: 0 });
      assert.ok(cost.transactions <= 2 && cost.rows <= 3, JSON.stringify(cost));
    } finally {
      await store.close();
    }
  });

test('replicas on PostgreSQL remove old deliveries while they are made due again: no write fails, and no due delivery is lost', async () => {
  const database = await createDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ database })));
  try {
    const [store] = stores as [Store];
    await insertHistory(store);
    const resend = () =>
      store.write((tx) => resendDeliveries(tx, { subscriptionId: 'acknowledged', since: at, acknowledged: true }, Date.parse(at)));
    const removals = stores.map((replica) => createRemoval(replica, CAPACITY, signal));
    const [resent] = await Promise.all([resend(), ...removals.map((removeOld) => removeOld())]);
    await removals[0]!();
    assert.equal((await countRows(store)).deliveries, EVENTS + resent);
    await store.db.updateTable('deliveries').set({ state: 'acknowledged' }).execute();
    await Promise.all(removals.map((removeOld) => removeOld()));
    for (const removeOld of removals) await removeOld();
    assert.deepEqual(await countRows(store), { events: CAPACITY, deliveries: 0, attempts: 0 });
  } finally {
    for (const store of stores) await store.close();
  }
});
