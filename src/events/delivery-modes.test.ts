import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import {
  advance,
  createUsers,
  getArrivalOrder,
  HOUR_MS,
  listIndexes,
  listReceivedUsers,
  MODE_PATH,
  releaseHeldDeliveries,
  removeMode,
  setMode,
  startIdleLab,
} from '../testing/delivery-modes.ts';
import { type Lab, startLab } from '../testing/event-lab.ts';

type Schemas = components['schemas'];

describe('a subscription with a delivery mode', () => {
  let lab: Lab;
  let start: number;
  before(async () => {
    lab = await startIdleLab();
  });
  beforeEach(async () => {
    start = await removeMode(lab);
  });
  after(() => lab.close());

  test('gets duplicates with the same webhook-id, and keeps the delivery acknowledged even if a duplicate fails', async () => {
    await setMode(lab, { duplicate: 2 });
    lab.receiver.answerWith((response) => {
      lab.receiver.answerWith(500);
      response.writeHead(204).end();
    });
    const [id] = await createUsers(lab, 1);
    await lab.settled();
    assert.deepEqual(listReceivedUsers(lab, start), [id, id, id]);
    assert.equal(new Set(lab.receiver.received.slice(start).map(({ headers }) => headers['webhook-id'])).size, 1);
    const [delivery] = (await lab.deliveries()) as [Schemas['Delivery']];
    assert.deepEqual([delivery.state, delivery.attempts], ['acknowledged', 3]);
    await lab.control('POST', `/deliveries/${delivery.id}/redeliver`);
    await advance(lab, '3d');
    assert.ok(listReceivedUsers(lab, start).length > 4);
    assert.equal((await lab.control<Schemas['Delivery']>('GET', `/deliveries/${delivery.id}`)).state, 'acknowledged');
  });

  test("gets the first attempt of each delivery after the mode's delay, which is measured in kit time", async () => {
    await setMode(lab, { delay: HOUR_MS });
    await createUsers(lab, 1);
    await advance(lab, HOUR_MS - 60_000);
    assert.deepEqual(listReceivedUsers(lab, start), []);
    await advance(lab, 60_000);
    assert.equal(listReceivedUsers(lab, start).length, 1);
  });

  test('gets a retry after each dropped acknowledgement, and the attempt log shows which acknowledgements were dropped', async () => {
    await setMode(lab, { dropAcknowledgement: 2 });
    const [id] = await createUsers(lab, 1);
    await advance(lab, HOUR_MS);
    assert.deepEqual(listReceivedUsers(lab, start), [id, id, id]);
    const [delivery] = (await lab.deliveries()) as [Schemas['Delivery']];
    const { attemptLog } = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${delivery.id}`);
    assert.deepEqual(
      attemptLog.map(({ status, error }) => [status, error !== undefined]),
      [
        [204, true],
        [204, true],
        [204, false],
      ],
    );
    assert.equal(delivery.state, 'acknowledged');
  });

  test('gets every attempt with a dropped acknowledgement, and then every duplicate, in addition to a failed attempt', async () => {
    await setMode(lab, { dropAcknowledgement: 1, duplicate: 1 });
    lab.receiver.answerWith(500);
    await createUsers(lab, 1);
    await lab.receiver.atLeast(start + 1);
    lab.receiver.answerWith(204);
    await advance(lab, HOUR_MS);
    assert.equal(listReceivedUsers(lab, start).length, 4);
  });

  test('gets the events of a reorder window in a shuffled order that depends only on the seed', async () => {
    const orders: number[][] = [];
    for (const seed of [7, 7, 8]) {
      const firstIndex = lab.receiver.received.length;
      await setMode(lab, { reorder: { window: HOUR_MS }, seed });
      const ids = await createUsers(lab, 8);
      await advance(lab, HOUR_MS);
      orders.push(getArrivalOrder(lab, firstIndex, ids));
    }
    assert.deepEqual(orders[0]?.toSorted(), listIndexes(8));
    assert.notDeepEqual(orders[0], listIndexes(8));
    assert.deepEqual(orders[1], orders[0]);
    assert.notDeepEqual(orders[2], orders[0]);
  });

  test('gets reordered events in the order that the seed determines, even if all events are due at the same time', async () => {
    const orders: number[][] = [];
    for (const step of [HOUR_MS, 1] as const) {
      const firstIndex = lab.receiver.received.length;
      await setMode(lab, { reorder: { window: HOUR_MS }, seed: 3 });
      const ids = await createUsers(lab, 8);
      // In the first round, the deliveries become due one after another, and in the second, all are due immediately.
      if (step === 1)
        await lab.kit.store.db
          .updateTable('deliveries')
          .set((eb) => ({ due_at: eb('due_at', '-', HOUR_MS) }))
          .execute();
      await advance(lab, step);
      orders.push(getArrivalOrder(lab, firstIndex, ids));
    }
    assert.deepEqual(orders[1], orders[0]);
  });

  test('refuses an invalid delivery mode and an invalid release with an error that lists the valid values', async () => {
    const refused: [unknown, RegExp][] = [
      [{}, /give at least one of duplicate/],
      [{ duplicate: 11 }, /duplicate/],
      [{ reorder: {} }, /window/],
      [{ hold: false }, /must be true/],
      [{ hold: true, delay: 5 }, /delay has no effect with hold/],
      [{ delay: 5, seed: 1 }, /has a seed but no reorder/],
      [{ shuffle: true }, /the known names are duplicate, reorder/],
    ];
    for (const [mode, expectedError] of refused) await assert.rejects(lab.control('PUT', MODE_PATH, mode), expectedError);
    await assert.rejects(lab.control('PUT', '/subscriptions/alll/delivery-mode', { hold: true }), /404.*Did you mean/);
    await assert.rejects(releaseHeldDeliveries(lab, { order: ['nothing'] }), /The subscription does not hold these deliveries: nothing/);
    await assert.rejects(releaseHeldDeliveries(lab, { order: 'sideways' as never }), /oldest-first, newest-first/);
  });
});

const recordSeededOrder = async (lab: Lab): Promise<number[]> => {
  const firstIndex = lab.receiver.received.length;
  const ids = await createUsers(lab, 6);
  await advance(lab, HOUR_MS);
  return getArrivalOrder(lab, firstIndex, ids);
};

for (const [engine, settings] of [
  ['sqlite', async () => ({})],
  ['postgres', async () => ({ database: await createDatabase() })],
] as const) {
  test(`${engine}: a reordering delivery mode produces the same order after the world is reloaded`, async () => {
    const lab = await startLab(await settings());
    try {
      await setMode(lab, { reorder: { window: HOUR_MS }, seed: 5, duplicate: 1 });
      const world = await lab.control<{ subscriptions: object }>('GET', '/state');
      const reload = async () => {
        await lab.control('PUT', '/state', world);
        await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
      };
      await reload();
      const first = await recordSeededOrder(lab);
      await reload();
      assert.deepEqual(await recordSeededOrder(lab), first);
      // One assignment and six users cause seven events, each sent twice.
      assert.equal(first.length, 14);
    } finally {
      await lab.close();
    }
  });
}
