import { sql } from 'kysely';
import { announce } from './changes.ts';
import type { Executor } from './engine.ts';
import { LOAD } from './meta.ts';
import { insertRow, prepared } from './prepared.ts';
import type { DeliveryState, Tables } from './schema.ts';

type NewDelivery = Pick<Tables['deliveries'], 'id' | 'event_id' | 'subscription_id' | 'body' | 'created_at' | 'due_at'> &
  Partial<Pick<Tables['deliveries'], 'headers' | 'state'>>;

/** Inserts an event. Its deliveries are inserted in the same transaction. */
export function insertEvent(tx: Executor, event: Tables['events']): Promise<void> {
  announce(tx, 'recorded');
  return insertRow(tx, 'events', event);
}

export function insertDelivery(tx: Executor, delivery: NewDelivery): Promise<void> {
  announce(tx, 'due');
  return insertRow(tx, 'deliveries', { state: 'pending', headers: null, ...delivery, attempts: 0, claim: null, claimed_until: null });
}

interface Settlement {
  id: string;
  claim: string;
  state: DeliveryState;
  attempts: number;
  dueAt: number;
}

/** Stores the state of a delivery after an attempt. Changes no row if the delivery no longer has the claim of the attempt. */
export const settle = prepared((db, p: Settlement) =>
  db
    .updateTable('deliveries')
    .set({ state: p.state, attempts: p.attempts, due_at: p.dueAt, claim: null, claimed_until: null })
    .where('id', '=', p.id)
    .where('claim', '=', p.claim),
);

export interface Attempt {
  readonly id: string;
  readonly deliveryId: string;
  /** The number of the attempt. The first attempt of a delivery has the number 1. */
  readonly number: number;
  /** The kit time at which the attempt started, in ISO 8601 UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The kit time of the next attempt, in ISO 8601 UTC; null if no further attempt is planned. */
  readonly nextAt: string | null;
}

export function insertAttempt(tx: Executor, attempt: Attempt): Promise<void> {
  announce(tx, 'recorded');
  const { id, deliveryId, number, at, durationMs, status, error, nextAt } = attempt;
  const row = { id, delivery_id: deliveryId, number, at, duration_ms: durationMs, status, error, next_at: nextAt };
  return insertRow(tx, 'delivery_attempts', row);
}

/** Lists the attempts of a delivery to which the receiver responded, the earliest first. */
export const answeredAttempts = prepared((db, p: { deliveryId: string }) =>
  db
    .selectFrom('delivery_attempts')
    .select(['number', 'status'])
    .where('delivery_id', '=', p.deliveryId)
    .where('status', 'is not', null)
    .orderBy('number'),
);

/** Lists the ids of the held deliveries of a subscription, the oldest first. */
export async function heldOf(db: Executor, subscriptionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', sql.lit('held'))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

const makeHeldDue = prepared((db, p: { id: string; now: number; load: string }) =>
  db
    .updateTable('deliveries')
    .set({ state: 'pending', due_at: p.now })
    .where('id', '=', p.id)
    .where('state', '=', 'held')
    .where((eb) => eb(eb.fn.coalesce(eb.selectFrom('meta').select('value').where('key', '=', sql.lit(LOAD)), sql.lit('')), '=', p.load)),
);

/**
 * Makes a held delivery due. `load` is compared because a snapshot can contain a delivery with the same id.
 * @param now kit time, in milliseconds since the Unix epoch
 * @param load the value of `LOAD` from the time when the delivery was held
 * @returns false if the delivery is no longer held, or if another world was loaded since the delivery was held
 */
export async function releaseHeld(tx: Executor, held: { id: string; now: number; load: string }): Promise<boolean> {
  announce(tx, 'due');
  return (await makeHeldDue.change(tx, held)) > 0;
}

/** Finds a delivery whose first attempt has not ended. */
export const unattempted = prepared((db, p: { id: string }) =>
  db.selectFrom('deliveries').select('id').where('id', '=', p.id).where('state', '=', 'pending').where('attempts', '=', 0),
);
