import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import {
  advance,
  createUsers,
  getArrivalOrder,
  listIndexes,
  listReceivedUsers,
  MODE_PATH,
  releaseHeldDeliveries,
  removeMode,
  setMode,
  startIdleLab,
} from '../testing/delivery-modes.ts';
import type { Lab } from '../testing/event-lab.ts';

type Schemas = components['schemas'];

describe('a subscription whose deliveries are held', () => {
  let lab: Lab;
  let start: number;
  before(async () => {
    lab = await startIdleLab();
  });
  beforeEach(async () => {
    start = await removeMode(lab);
  });
  after(() => lab.close());

  test('gets no held delivery before its release, and gets the released deliveries in the requested order', async () => {
    await setMode(lab, { hold: true });
    const ids = await createUsers(lab, 12);
    await advance(lab, '2d');
    assert.deepEqual(listReceivedUsers(lab, start), []);
    assert.equal((await lab.control<Schemas['DeliveryModeInForce']>('GET', MODE_PATH)).held, 12);
    const newest = await releaseHeldDeliveries(lab, { order: 'newest-first', count: 3 });
    assert.deepEqual([newest.released.length, newest.held], [3, 9]);
    const held = (await lab.control<Schemas['Delivery'][]>('GET', '/deliveries?state=held')).toReversed();
    await releaseHeldDeliveries(lab, { order: [held[4]!.id, held[2]!.id] });
    await releaseHeldDeliveries(lab);
    assert.deepEqual(getArrivalOrder(lab, start, ids), [11, 10, 9, 4, 2, 0, 1, 3, 5, 6, 7, 8]);
  });

  test('gets the next released delivery only after the receiver has answered the previous one', async () => {
    await setMode(lab, { hold: true });
    const ids = await createUsers(lab, 10);
    let [open, most] = [0, 0];
    lab.receiver.answerWith((response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(204).end();
      });
    });
    await releaseHeldDeliveries(lab, { order: 'newest-first' });
    assert.deepEqual([getArrivalOrder(lab, start, ids), most], [listIndexes(10).toReversed(), 1]);
  });

  test('still holds all deliveries of a snapshot that is restored during a release', async () => {
    await setMode(lab, { hold: true });
    await createUsers(lab, 2);
    await lab.control('PUT', '/snapshots/held');
    const first = Promise.withResolvers<ServerResponse>();
    lab.receiver.answerWith(first.resolve);
    const releasing = assert.rejects(
      releaseHeldDeliveries(lab),
      /409.*Another world was loaded after 1 of the deliveries had been released/,
    );
    const response = await first.promise;
    await lab.control('POST', '/reset', { to: 'held' });
    response.writeHead(204).end();
    await releasing;
    assert.equal((await lab.control<Schemas['DeliveryModeInForce']>('GET', MODE_PATH)).held, 2);
    lab.receiver.answerWith(204);
    await releaseHeldDeliveries(lab);
  });

  test('keeps held deliveries when the delivery mode is removed, when deliveries are recovered, and when a release times out', async () => {
    await setMode(lab, { hold: true });
    await createUsers(lab, 2);
    await lab.control('DELETE', MODE_PATH);
    await lab.control('POST', '/subscriptions/all/recover', { since: '2026-01-01T00:00:00Z' });
    assert.deepEqual(
      [(await lab.control<Schemas['DeliveryModeInForce']>('GET', MODE_PATH)).mode, listReceivedUsers(lab, start)],
      [null, []],
    );
    const responders: (() => void)[] = [];
    lab.receiver.answerWith((response) => void responders.push(() => response.writeHead(204).end()));
    assert.equal((await releaseHeldDeliveries(lab, { maxWaitMs: 300 })).held, 1);
    lab.receiver.answerWith(204);
    for (const respond of responders) respond();
    assert.equal((await releaseHeldDeliveries(lab)).held, 0);
  });
});
