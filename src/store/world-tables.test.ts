import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { insertAttempt, insertReceived, settle } from './deliveries.ts';
import { takeOrdinal } from './delivery-modes.ts';
import type { Executor } from './engine.ts';
import { insertDelivery, insertEvent } from './outbox.ts';
import { openStore, type Store } from './store.ts';
import { freshDatabase } from './testing/postgres.ts';
import { add, rows } from './testing/rows.ts';
import { somebodyWaits } from './testing/waiting.ts';
import { keepWritersOut } from './world-tables.ts';

const INSTANT = '2026-01-01T00:00:00.000Z';
const event = { timestamp: INSTANT, providerId: 'p', experienceId: 'e', entityId: 'u', data: '{}', type: 'provisioning.user.created' };
const delivery = { subscriptionId: 's', body: '{}', createdAt: INSTANT, dueAt: 0 };
const attempt = { number: 1, at: INSTANT, durationMs: 1, status: 204, error: null, nextAt: null };

let store: Store;
before(async () => {
  store = await openStore({ database: await freshDatabase() });
  await insertEvent(store.db, { id: 'event', ...event });
  await insertDelivery(store.db, { id: 'delivery', eventId: 'event', ...delivery });
});
after(() => store.close());

type Step = (tx: Executor) => Promise<unknown>;

/** What writes to several tables, in the order in which it does. Each is left undone. */
const WRITERS: Readonly<Record<string, readonly Step[]>> = {
  'a change of the world': [
    (tx) => add(tx, 'accounts', rows.accounts),
    (tx) => insertEvent(tx, { id: 'another', ...event }),
    (tx) => insertDelivery(tx, { id: 'another', eventId: 'another', ...delivery }),
  ],
  'a payload that is sent to a subscription whose mode reorders': [
    (tx) => insertEvent(tx, { id: 'raw', ...event }),
    (tx) => takeOrdinal.first(tx, { subscriptionId: 's' }),
    (tx) => insertDelivery(tx, { id: 'raw', eventId: 'raw', ...delivery }),
  ],
  'an attempt of a delivery': [
    (tx) => settle.change(tx, { id: 'delivery', claim: 'c', state: 'acknowledged', attempts: 1, dueAt: 0 }),
    (tx) => insertAttempt(tx, { id: 'attempt', deliveryId: 'delivery', ...attempt }),
    (tx) =>
      insertReceived(tx, { id: 'received', deliveryId: 'delivery', subscriptionId: 's', receivedAt: INSTANT, headers: '{}', body: '{}' }),
  ],
};

for (const [writer, steps] of Object.entries(WRITERS)) {
  for (let done = 1; done < steps.length; done++) {
    test(`who replaces the world waits for ${writer} that has come to step ${done}, and does not stand in its way`, async () => {
      const undone = new Error('undone');
      let keptOut: Promise<void> | undefined;
      // PostgreSQL ends one of two that wait for each other, and `write` would try again: these do not.
      const writing = store.db.transaction().execute(async (tx) => {
        for (const step of steps.slice(0, done)) await step(tx);
        keptOut = store.db.transaction().execute(keepWritersOut);
        keptOut.catch(() => {});
        await somebodyWaits(store.db);
        for (const step of steps.slice(done)) await step(tx);
        throw undone;
      });
      await assert.rejects(writing, undone);
      await keptOut;
    });
  }
}
