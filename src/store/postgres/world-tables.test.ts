import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lockAccount } from '../accounts.ts';
import { insertAttempts, insertDelivery, updateDeliveries } from '../deliveries.ts';
import { listDeliveries } from '../delivery-list.ts';
import type { Executor } from '../engine.ts';
import { insertRow } from '../prepared.ts';
import { openStore, type Store } from '../store.ts';
import { incrementOrdinal } from '../subscriptions.ts';
import { createDatabase } from '../testing/postgres.ts';
import { exampleRows, insertExample } from '../testing/rows.ts';
import { waitForBlockedTransaction } from '../testing/waiting.ts';
import { readState, replaceState } from '../world-tables.ts';

const INSTANT = '2026-01-01T00:00:00.000Z';
const { events: event } = exampleRows;
const delivery = { subscription_id: 's', body: '{}', created_at: INSTANT, due_at: 0 };
const attempt = { number: 1, at: INSTANT, durationMs: 1, status: 204, error: null, nextAt: null };

let store: Store;
before(async () => {
  store = await openStore({ database: await createDatabase() });
  await insertExample(store.db, 'accounts', exampleRows.accounts);
  await insertRow(store.db, 'events', { ...event, id: 'event' });
  await insertDelivery(store.db, { id: 'delivery', event_id: 'event', ...delivery });
});
after(() => store.close());

test('the list of deliveries is empty if the entity id in the filter contains a NUL character', async () => {
  assert.deepEqual(await listDeliveries(store.db, { entityId: 'a\0' }, 1), []);
});

type Step = (tx: Executor) => Promise<unknown>;

const WRITERS: Readonly<Record<string, readonly Step[]>> = {
  'a change to the world': [
    (tx) => insertExample(tx, 'providers', exampleRows.providers),
    (tx) => insertRow(tx, 'events', { ...event, id: 'another' }),
    (tx) => insertDelivery(tx, { id: 'another', event_id: 'another', ...delivery }),
  ],
  'a payload that an operator sends to a subscription with the mode `reorder`': [
    (tx) => insertRow(tx, 'events', { ...event, id: 'raw' }),
    (tx) => incrementOrdinal.first(tx, { subscriptionId: 's' }),
    (tx) => insertDelivery(tx, { id: 'raw', event_id: 'raw', ...delivery }),
  ],
  'a change that locks an account': [
    async (tx) => lockAccount(tx, 'account-1'),
    (tx) => insertRow(tx, 'events', { ...event, id: 'another' }),
    (tx) => tx.updateTable('accounts').set({ name: 'other' }).execute(),
  ],
  'a delivery attempt': [
    (tx) => updateDeliveries(tx, { state: 'acknowledged', attempts: 1, dueAt: null }, { delivery: 'c' }),
    (tx) => insertAttempts(tx, [{ id: 'attempt', deliveryId: 'delivery', ...attempt }]),
    (tx) =>
      insertRow(tx, 'inbox', {
        id: 'received',
        delivery_id: 'delivery',
        subscription_id: 's',
        received_at: INSTANT,
        headers: '{}',
        body: '{}',
      }),
  ],
};

for (const [writer, steps] of Object.entries(WRITERS)) {
  for (let done = 1; done < steps.length; done++) {
    test(`replacing the world waits for the transaction of ${writer} after step ${done}, without a deadlock`, async () => {
      const undone = new Error('undone');
      const replaced = Promise.withResolvers<void>();
      let runs = 0;
      const writing = store.write(async (tx) => {
        runs++;
        for (const step of steps.slice(0, done)) await step(tx);
        store.writeExclusively(async (alone) => replaceState(alone, await readState(alone))).then(replaced.resolve, replaced.reject);
        await waitForBlockedTransaction(store.db);
        for (const step of steps.slice(done)) await step(tx);
        throw undone;
      });
      await assert.rejects(writing, undone);
      await replaced.promise;
      assert.equal(runs, 1, 'PostgreSQL rolls back one of two transactions in a deadlock, and `write` repeats that transaction');
    });
  }
}
