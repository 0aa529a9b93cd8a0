import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { freshDatabase } from '../store/testing/postgres.ts';
import { type Lab, startLab } from './testing/lab.ts';

type Schemas = components['schemas'];
type Mode = Schemas['DeliveryMode'];

const MODE = '/subscriptions/all/delivery-mode';
const HOUR = 3_600_000;

const setMode = (lab: Lab, mode: Mode) => lab.control<Schemas['DeliveryModeInForce']>('PUT', MODE, mode);
const release = (lab: Lab, asked: Schemas['Release'] = {}) => lab.control<Schemas['Released']>('POST', '/subscriptions/all/release', asked);
const advance = (lab: Lab, by: number | string) => lab.control<Schemas['Advanced']>('POST', '/clock/advance', { by });

/** Makes so many users one after another. @returns their ids */
async function users(lab: Lab, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let user = 0; user < count; user++) ids.push((await lab.control<{ id: string }>('POST', '/state/users', { account: 'north' })).id);
  return ids;
}

/** The users that the receiver was told of, as they came. */
const told = ({ receiver }: Lab, since: number) =>
  receiver.received.slice(since).map(({ event }) => (event.data as { userId?: string }).userId ?? event.type);

/** Where in `ids` each of those stands that the receiver was told of. */
const orderOf = (lab: Lab, since: number, ids: readonly string[]) => told(lab, since).map((id) => ids.indexOf(id));

/** A lab whose users cause events, with nothing under way. */
async function startQuiet(settings: Parameters<typeof startLab>[0] = {}): Promise<Lab> {
  const lab = await startLab(settings);
  await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
  await lab.settled();
  return lab;
}

const inOrder = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a subscription with a delivery mode', () => {
  let lab: Lab;
  let before_: number;
  before(async () => {
    lab = await startQuiet();
  });
  beforeEach(async () => {
    lab.receiver.answerWith(204);
    await lab.control('DELETE', MODE);
    await lab.settled();
    before_ = lab.receiver.received.length;
  });
  after(() => lab.close());

  test('gets each delivery so many more times after it was acknowledged, as the same event', async () => {
    await setMode(lab, { duplicate: 2 });
    const [id] = await users(lab, 1);
    await lab.settled();
    assert.deepEqual(told(lab, before_), [id, id, id]);
    assert.equal(new Set(lab.receiver.received.slice(before_).map(({ headers }) => headers['webhook-id'])).size, 1);
    const [delivery] = await lab.deliveries();
    assert.deepEqual([delivery?.state, delivery?.attempts], ['acknowledged', 3]);
  });

  test('gets first attempts so much later in kit time', async () => {
    await setMode(lab, { delay: HOUR });
    await users(lab, 1);
    await advance(lab, HOUR - 60_000);
    assert.deepEqual(told(lab, before_), []);
    await advance(lab, 60_000);
    assert.equal(told(lab, before_).length, 1);
  });

  test('gets a delivery again whose acknowledgement was dropped, on the retry schedule, and the log says why', async () => {
    await setMode(lab, { dropAcknowledgement: 2 });
    const [id] = await users(lab, 1);
    await advance(lab, HOUR);
    assert.deepEqual(told(lab, before_), [id, id, id]);
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

  test('gets duplicates after the acknowledgements that were dropped, and failures count as neither', async () => {
    await setMode(lab, { dropAcknowledgement: 1, duplicate: 1 });
    lab.receiver.answerWith(500);
    await users(lab, 1);
    await lab.receiver.atLeast(before_ + 1);
    lab.receiver.answerWith(204);
    await advance(lab, HOUR);
    assert.equal(told(lab, before_).length, 4);
  });

  test('gets the events of a window in another order, and with the same seed the same events in the same order', async () => {
    const orders: number[][] = [];
    for (const seed of [7, 7, 8]) {
      const start = lab.receiver.received.length;
      await setMode(lab, { reorder: { window: HOUR }, seed });
      const ids = await users(lab, 8);
      await advance(lab, HOUR);
      orders.push(orderOf(lab, start, ids));
    }
    assert.deepEqual(orders[0]?.toSorted(), inOrder(8));
    assert.notDeepEqual(orders[0], inOrder(8));
    assert.deepEqual(orders[1], orders[0]);
    assert.notDeepEqual(orders[2], orders[0]);
  });

  test('gets shuffled events in their order also when all are due at once', async () => {
    const orders: number[][] = [];
    for (const step of [HOUR, 1] as const) {
      const start = lab.receiver.received.length;
      await setMode(lab, { reorder: { window: HOUR }, seed: 3 });
      const ids = await users(lab, 8);
      // Without an advance from one moment to the next, as where time goes by.
      if (step === 1)
        await lab.kit.store.db
          .updateTable('deliveries')
          .set((eb) => ({ due_at: eb('due_at', '-', HOUR) }))
          .execute();
      await advance(lab, step);
      orders.push(orderOf(lab, start, ids));
    }
    assert.deepEqual(orders[1], orders[0]);
  });

  test('keeps first attempts until they are released, in the order asked for', async () => {
    await setMode(lab, { hold: true });
    const ids = await users(lab, 12);
    await advance(lab, '2d');
    assert.deepEqual(told(lab, before_), []);
    assert.equal((await lab.control<Schemas['DeliveryModeInForce']>('GET', MODE)).held, 12);
    const newest = await release(lab, { order: 'newest-first', count: 3 });
    assert.deepEqual([newest.released.length, newest.held], [3, 9]);
    const held = (await lab.control<Schemas['Delivery'][]>('GET', '/deliveries?state=held')).toReversed();
    await release(lab, { order: [held[4]!.id, held[2]!.id] });
    await release(lab);
    assert.deepEqual(orderOf(lab, before_, ids), [11, 10, 9, 4, 2, 0, 1, 3, 5, 6, 7, 8]);
  });

  test('sees what is released in order also where each attempt takes longer than that before it is let go', async () => {
    await setMode(lab, { hold: true });
    const ids = await users(lab, 10);
    let [open, most] = [0, 0];
    lab.receiver.answerWith((response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(204).end();
      });
    });
    await release(lab, { order: 'newest-first' });
    assert.deepEqual([orderOf(lab, before_, ids), most], [inOrder(10).toReversed(), 1]);
  });

  test('keeps what is held when its mode is removed, and what a release had no time for', async () => {
    await setMode(lab, { hold: true });
    await users(lab, 2);
    await lab.control('DELETE', MODE);
    assert.deepEqual([(await lab.control<Schemas['DeliveryModeInForce']>('GET', MODE)).mode, told(lab, before_)], [null, []]);
    const hanging: (() => void)[] = [];
    lab.receiver.answerWith((response) => void hanging.push(() => response.writeHead(204).end()));
    assert.equal((await release(lab, { maxWaitMs: 300 })).held, 1);
    lab.receiver.answerWith(204);
    for (const answer of hanging) answer();
    assert.equal((await release(lab)).held, 0);
  });

  test('is refused what makes no sense, with what would', async () => {
    const refused: [unknown, RegExp][] = [
      [{}, /give at least one of duplicate/],
      [{ duplicate: 11 }, /duplicate/],
      [{ reorder: {} }, /window/],
      [{ hold: false }, /can only be true/],
      [{ hold: true, delay: 5 }, /leave them out/],
      [{ delay: 5, seed: 1 }, /give reorder, too/],
      [{ shuffle: true }, /the members are duplicate, reorder/],
    ];
    for (const [mode, why] of refused) await assert.rejects(lab.control('PUT', MODE, mode), why);
    await assert.rejects(lab.control('PUT', '/subscriptions/alll/delivery-mode', { hold: true }), /404.*Did you mean/);
    await assert.rejects(release(lab, { order: ['nothing'] }), /order names what the subscription does not hold: nothing/);
    await assert.rejects(release(lab, { order: 'sideways' as never }), /oldest-first, newest-first/);
  });
});

const seeded = async (lab: Lab): Promise<number[]> => {
  const start = lab.receiver.received.length;
  const ids = await users(lab, 6);
  await advance(lab, HOUR);
  return orderOf(lab, start, ids);
};

for (const [engine, settings] of [
  ['sqlite', async () => ({})],
  ['postgres', async () => ({ database: await freshDatabase() })],
] as const) {
  test(`${engine}: a delivery mode survives a reset, and the run after it repeats that before it`, async () => {
    const lab = await startLab(await settings());
    try {
      const world = await lab.control<{ subscriptions: object }>('GET', '/state');
      const reload = async () => {
        await lab.control('PUT', '/state', world);
        await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
      };
      await setMode(lab, { reorder: { window: HOUR }, seed: 5, duplicate: 1 });
      await reload();
      const first = await seeded(lab);
      await reload();
      assert.deepEqual((await lab.control<Schemas['DeliveryModeInForce']>('GET', MODE)).mode?.seed, 5);
      assert.deepEqual(await seeded(lab), first);
      // The assignment and the users, each twice.
      assert.equal(first.length, 14);
    } finally {
      await lab.close();
    }
  });
}
