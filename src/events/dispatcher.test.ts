import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, createClock } from '../clock/clock.ts';
import { createIds } from '../clock/ids.ts';
import { defaultDecisions } from '../contract/generated/decisions.ts';
import { announce } from '../store/changes.ts';
import { insertDelivery } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';
import { insertRow } from '../store/prepared.ts';
import { openStore, type Store } from '../store/store.ts';
import { exampleRows } from '../store/testing/rows.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { saveOutcomes } from './outcomes.ts';

const INSTANT = '2026-01-01T00:00:00.000Z';
const SILENT = 'http://127.0.0.1:1/silent';
const ids = createIds();
let store: Store;
let clock: Clock;
let world: { load: string; refresh(): Promise<void> | undefined };
let dispatcher: Dispatcher;
/** Every call of `send` waits until this promise resolves. */
let response: PromiseWithResolvers<void>;
/** Every call of `send` to the destination `SILENT` waits until this promise resolves. */
let silence: PromiseWithResolvers<void>;
let sent: number;
let allSlotsUsed: PromiseWithResolvers<void>;

beforeEach(async () => {
  store = await openStore();
  [response, silence, allSlotsUsed, sent] = [Promise.withResolvers(), Promise.withResolvers(), Promise.withResolvers(), 0];
  const sender = {
    async send(destination: string) {
      sent += 1;
      if (sent === 128) allSlotsUsed.resolve();
      await (destination === SILENT ? silence : response).promise;
      return { status: 204, durationMs: 1 };
    },
    close: async () => {},
  };
  const onError = (error: unknown) => assert.fail(String(error));
  clock = createClock();
  world = { load: 'first', refresh: () => undefined };
  const deps = {
    store,
    world,
    clock,
    ids,
    decisions: defaultDecisions,
    sender,
    retries: 'standard' as const,
    relay: () => undefined,
    random: Math.random,
  };
  dispatcher = createDispatcher({ ...deps, timeoutMs: 15_000, onError });
});
afterEach(() => store.close());

async function insertEventWithDelivery(tx: Executor, subscriptionId: string): Promise<void> {
  const id = ids.uuid();
  await insertRow(tx, 'events', { ...exampleRows.events, id });
  await insertDelivery(tx, { id: ids.uuid(), event_id: id, subscription_id: subscriptionId, body: '{}', created_at: INSTANT, due_at: 0 });
}

async function fillOutbox(subscriptions: number, deliveriesPerSubscription: number): Promise<void> {
  await store.db.insertInto('providers').values({ id: 'p', alias: 'p', name: 'P' }).execute();
  await store.db.transaction().execute(async (tx) => {
    for (let s = 0; s < subscriptions; s++) {
      const id = `s${s}`;
      const subscription = { id, alias: id, provider_id: 'p', experience_id: null, types: '[]', destination_url: 'http://127.0.0.1:1/' };
      await tx.insertInto('subscriptions').values(subscription).execute();
      for (let n = 0; n < deliveriesPerSubscription; n++) await insertEventWithDelivery(tx, id);
    }
  });
}

const listClaimed = async () =>
  (await store.db.selectFrom('deliveries').select('subscription_id').where('claim', 'is not', null).execute()).map(
    (row) => row.subscription_id,
  );

test('if no slot is free for a subscription, its deliveries are not claimed, so that other replicas can send them', async () => {
  await fillOutbox(40, 10);
  await dispatcher.start();
  await allSlotsUsed.promise;
  assert.equal(new Set(await listClaimed()).size, 16);
  response.resolve();
  await dispatcher.settle(20_000);
  assert.equal(sent, 400);
  await dispatcher.stop();
});

test('stop waits for attempts in flight, and releases the claims on deliveries that are not in flight', async () => {
  await fillOutbox(16, 64);
  await dispatcher.start();
  await allSlotsUsed.promise;
  assert.equal((await listClaimed()).length, 16 * 64);
  const stopping = dispatcher.stop();
  response.resolve();
  await stopping;
  const states = await store.db.selectFrom('deliveries').select(['state', 'claim']).execute();
  assert.deepEqual(
    [states.filter(({ state }) => state === 'acknowledged').length, states.filter(({ claim }) => claim !== null).length, sent],
    [128, 0, 128],
  );
});

test('if a poll claims deliveries of a new world before `forget` is called, all of them are sent', async () => {
  await fillOutbox(1, 10);
  await dispatcher.settle(0);
  assert.equal((await listClaimed()).length, 10);
  dispatcher.forget();
  response.resolve();
  await dispatcher.settle(20_000);
  assert.equal(sent, 10);
  await dispatcher.stop();
});

/** Gives up after 1000 turns of the event loop. */
async function runUntil(t: TestContext, isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000 && !(await isDone()); turn++) {
    t.mock.timers.tick(100);
    await nextTurn();
  }
}

function countStatements(t: TestContext): () => number {
  const methods = (['all', 'get', 'iterate', 'run'] as const).map((method) => t.mock.method(StatementSync.prototype, method));
  return () => methods.reduce((sum, { mock }) => sum + mock.callCount(), 0);
}

test('while no slot is free, the dispatcher does not search the backlog repeatedly', async (t) => {
  await fillOutbox(8, 200);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await dispatcher.start();
  const runTurns = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      t.mock.timers.tick(100);
      await nextTurn();
    }
  };
  while (sent < 64) await runTurns(1);
  await runTurns(20);
  const statements = countStatements(t);
  await runTurns(100);
  assert.equal(statements(), 0);
  response.resolve();
  await dispatcher.stop();
});

test('sending a backlog takes at most 15 SQL statements per 100 deliveries', async (t) => {
  const [maximum, subscriptions, each] = [15, 8, 200];
  await fillOutbox(subscriptions, each);
  response.resolve();
  const statements = countStatements(t);
  await dispatcher.start();
  await dispatcher.settle(20_000);
  await dispatcher.stop();
  assert.equal(sent, subscriptions * each);
  const actual = Math.ceil((100 * statements()) / sent);
  assert.ok(actual <= maximum, `${actual} SQL statements per 100 deliveries, instead of at most ${maximum}`);
});

test('a waiting dispatcher notices and sends a newly committed delivery', async () => {
  await fillOutbox(1, 0);
  await dispatcher.start();
  await dispatcher.settle(20_000);
  response.resolve();
  const observed = new Promise((resolve) => dispatcher.observe(resolve));
  await store.write((tx) => insertEventWithDelivery(tx, 's0'));
  await observed;
  assert.equal(sent, 1);
  await dispatcher.stop();
});

test('a delivery that becomes due while earlier ones wait for a slot is sent after them, even while another subscriber does not respond', async () => {
  await fillOutbox(2, 10);
  await store.db.updateTable('subscriptions').set({ destination_url: SILENT }).where('id', '=', 's1').execute();
  await dispatcher.start();
  await dispatcher.settle(0);
  await store.db.transaction().execute((tx) => insertEventWithDelivery(tx, 's0'));
  await dispatcher.settle(0);
  response.resolve();
  const expected = 10 + 1 + 8;
  for (let turn = 0; sent < expected && turn < 1000; turn++) await nextTurn();
  assert.equal(sent, expected);
  silence.resolve();
  await dispatcher.stop();
});

test('a delivery with an abandoned claim is sent when the claim expires, even if it expires during a poll', async (t) => {
  await fillOutbox(1, 0);
  response.resolve();
  await dispatcher.start();
  await dispatcher.settle(20_000);
  await store.db.transaction().execute((tx) => insertEventWithDelivery(tx, 's0'));
  await store.db.updateTable('deliveries').set({ claim: 'of another', claimed_until: 15 }).execute();
  // Each reading of the clock takes 10 ms: the claim expires after the poll has read the clock for the first time.
  let now = 0;
  t.mock.method(Date, 'now', () => (now += 10));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await store.write(async (tx) => announce(tx, 'due'));
  await runUntil(t, () => sent === 1);
  assert.equal(sent, 1);
  await dispatcher.stop();
});

test('a poll uses the current kit time, even if another replica has moved it', async (t) => {
  await fillOutbox(1, 1);
  await store.db
    .updateTable('deliveries')
    .set({ due_at: clock.now() + 60_000 })
    .execute();
  response.resolve();
  world.refresh = async () => clock.setOffset(120_000);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await dispatcher.start();
  await runUntil(t, () => sent === 1);
  assert.equal(sent, 1);
  await dispatcher.stop();
});

test('if another replica loads a world, the deliveries of the previous world that wait for a slot are not sent', async (t) => {
  await fillOutbox(1, 10);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await dispatcher.start();
  await runUntil(t, () => sent === 8);
  assert.equal((await listClaimed()).length, 10);
  world.load = 'second';
  await store.write(async (tx) => announce(tx, 'due'));
  await runUntil(t, async () => (await listClaimed()).length === 8);
  assert.equal((await listClaimed()).length, 8);
  response.resolve();
  await dispatcher.stop();
});

test('listeners receive the attempts in the order in which they ended', async () => {
  await fillOutbox(1, 6);
  const observed: string[] = [];
  dispatcher.observe(({ at, id }) => observed.push(`${at} ${id}`));
  response.resolve();
  await dispatcher.start();
  await dispatcher.settle(20_000);
  assert.deepEqual(observed, observed.toSorted());
  assert.equal(observed.length, 6);
  await dispatcher.stop();
});

test('an outcome is not stored if another process claimed the delivery during the attempt, but the other outcomes in the group are stored', async () => {
  await fillOutbox(1, 3);
  const rows = await store.db.updateTable('deliveries').set({ claim: 'mine' }).returning('id').execute();
  const [first, second, third] = rows.map(({ id }) => id) as [string, string, string];
  const saveWithClaims = (outcomes: readonly (readonly [deliveryId: string, claim: string])[]) =>
    store.write((tx) =>
      saveOutcomes(
        tx,
        outcomes.map(([deliveryId, claim]) => {
          const attempt = { id: ids.uuid(), deliveryId, number: 1, at: INSTANT, durationMs: 1, status: 204, error: null, nextAt: null };
          return { subscriptionId: 's0', state: 'acknowledged', dueAt: null, attempt, claim } as const;
        }),
      ),
    );
  const listAttempted = async () => {
    const attempts = await store.db.selectFrom('delivery_attempts').select('delivery_id').execute();
    return attempts.map(({ delivery_id }) => delivery_id).sort();
  };
  assert.deepEqual([await saveWithClaims([[first, 'of another']]), await listAttempted()], [[false], []]);
  const together = [
    [first, 'of another'],
    [first, 'mine'],
    [second, 'of another'],
    [third, 'mine'],
  ] as const;
  assert.deepEqual([await saveWithClaims(together), await listAttempted()], [[false, true, false, true], [first, third].sort()]);
  assert.deepEqual(await listClaimed(), ['s0']);
});
