import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createIds } from '../clock/ids.ts';
import { insertDelivery, insertEvent } from '../store/deliveries.ts';
import { openStore, type Store } from '../store/store.ts';
import { createOutcomes, type Outcome } from './outcomes.ts';

const INSTANT = '2026-01-01T00:00:00.000Z';
const ids = createIds();
let store: Store;
let transactions: number;
beforeEach(async () => {
  const opened = await openStore();
  transactions = 0;
  store = {
    ...opened,
    write: (work) => {
      transactions += 1;
      return opened.write(work);
    },
  };
});
afterEach(() => store.close());

/** Deliveries that are claimed, and the outcome of an attempt of each. */
async function attempted(count: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await store.db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) {
      const [id, eventId] = [ids.uuid(), ids.uuid()];
      const event = {
        type: 'provisioning.user.created',
        timestamp: INSTANT,
        provider_id: 'p',
        experience_id: 'e',
        entity_id: 'u',
        data: '{}',
      };
      await insertEvent(tx, { id: eventId, ...event });
      await insertDelivery(tx, { id, event_id: eventId, subscription_id: 's', body: '{}', created_at: INSTANT, due_at: 0 });
      const attempt = { id: ids.uuid(), deliveryId: id, number: 1, at: INSTANT, durationMs: 1, status: 204, error: null, nextAt: null };
      outcomes.push({ subscriptionId: 's', claim: 'mine', state: 'acknowledged', dueAt: 0, attempt });
    }
    await tx.updateTable('deliveries').set({ claim: 'mine' }).execute();
  });
  return outcomes;
}

const states = async () => (await store.db.selectFrom('deliveries').select('state').orderBy('id').execute()).map(({ state }) => state);

test('attempts that end at about the same time are written down in one transaction', async () => {
  const { write } = createOutcomes(store, () => true);
  assert.deepEqual(await Promise.all((await attempted(3)).map(write)), [true, true, true]);
  assert.deepEqual([transactions, await states()], [1, ['acknowledged', 'acknowledged', 'acknowledged']]);
});

test('one that nobody follows waits for nobody', async () => {
  const { write } = createOutcomes(store, () => false);
  await Promise.all((await attempted(3)).map(write));
  assert.equal(transactions, 3);
});

test('one that cannot be written takes nothing of the others with it', async () => {
  const [first, second, third] = (await attempted(3)) as [Outcome, Outcome, Outcome];
  const twice = { ...second, attempt: { ...second.attempt, id: first.attempt.id } };
  const { write } = createOutcomes(store, () => true);
  const settled = await Promise.allSettled([first, twice, third].map(write));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(await states(), ['acknowledged', 'pending', 'acknowledged']);
});

test('one whose claim was lost says so, and writes nothing', async () => {
  const [lost, kept] = (await attempted(2)) as [Outcome, Outcome];
  const { write } = createOutcomes(store, () => true);
  assert.deepEqual(await Promise.all([write({ ...lost, claim: 'of another' }), write(kept)]), [false, true]);
  const attempts = await store.db.selectFrom('delivery_attempts').select('delivery_id').execute();
  assert.deepEqual([await states(), attempts.map((row) => row.delivery_id)], [['pending', 'acknowledged'], [kept.attempt.deliveryId]]);
});
