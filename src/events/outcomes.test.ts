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

/** Inserts claimed deliveries and returns the outcome of one attempt of each. */
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

test('outcomes of attempts that end at about the same time are stored in one transaction', async () => {
  const { save } = createOutcomes(store, () => true);
  assert.deepEqual(await Promise.all((await attempted(3)).map(save)), [true, true, true]);
  assert.deepEqual([transactions, await states()], [1, ['acknowledged', 'acknowledged', 'acknowledged']]);
});

test('an outcome does not wait if no other attempt is in flight', async () => {
  const { save } = createOutcomes(store, () => false);
  await Promise.all((await attempted(3)).map(save));
  assert.equal(transactions, 3);
});

test('an outcome that cannot be stored does not affect the others', async () => {
  const [first, second, third] = (await attempted(3)) as [Outcome, Outcome, Outcome];
  const twice = { ...second, attempt: { ...second.attempt, id: first.attempt.id } };
  const { save } = createOutcomes(store, () => true);
  const settled = await Promise.allSettled([first, twice, third].map(save));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(await states(), ['acknowledged', 'pending', 'acknowledged']);
});

test('an outcome whose claim was lost stores nothing and resolves with false', async () => {
  const [lost, kept] = (await attempted(2)) as [Outcome, Outcome];
  const { save } = createOutcomes(store, () => true);
  assert.deepEqual(await Promise.all([save({ ...lost, claim: 'of another' }), save(kept)]), [false, true]);
  const attempts = await store.db.selectFrom('delivery_attempts').select('delivery_id').execute();
  assert.deepEqual([await states(), attempts.map((row) => row.delivery_id)], [['pending', 'acknowledged'], [kept.attempt.deliveryId]]);
});
