import { sql } from 'kysely';
import { announce } from './changes.ts';
import { type Executor, getEngine } from './engine.ts';
import { LOAD_KEY } from './meta.ts';
import { insertRow, insertRows, prepareQuery } from './prepared.ts';
import type { DeliveryState, Tables } from './schema.ts';

type NewDelivery = Pick<Tables['deliveries'], 'id' | 'event_id' | 'subscription_id' | 'body' | 'created_at' | 'due_at'> &
  Partial<Pick<Tables['deliveries'], 'headers' | 'state'>>;

export function insertEvent(tx: Executor, event: Tables['events']): Promise<void> {
  announce(tx, 'recorded');
  return insertRow(tx, 'events', event);
}

export function insertDelivery(tx: Executor, delivery: NewDelivery): Promise<void> {
  announce(tx, 'due');
  return insertRow(tx, 'deliveries', { state: 'pending', attempts: 0, headers: null, ...UNCLAIMED, ...delivery });
}

/** `headers` is a JSON object. */
export async function insertReceived(
  tx: Executor,
  delivery: NewDelivery,
  { attemptId, at, headers }: { readonly attemptId: string; readonly at: string; readonly headers: string },
): Promise<void> {
  announce(tx, 'recorded');
  const { id, subscription_id, body } = delivery;
  await insertRow(tx, 'deliveries', { state: 'acknowledged', attempts: 1, headers: null, ...UNCLAIMED, ...delivery });
  const attempt = { id: attemptId, deliveryId: id, number: 1, at, durationMs: 0, status: 204, error: null, nextAt: null };
  await insertRow(tx, 'delivery_attempts', toAttemptRow(attempt));
  await insertRow(tx, 'inbox', { id: attemptId, delivery_id: id, subscription_id, received_at: at, headers, body });
}

const UNCLAIMED = { claim: null, claimed_until: null };

export interface DeliveryUpdate {
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The next attempt's kit time, in milliseconds; null if none is planned. */
  readonly dueAt: number | null;
}

const updateClaimed = prepareQuery((db, p: DeliveryUpdate & { claims: string }) =>
  db
    .updateTable('deliveries')
    .from(
      (getEngine(db) === 'postgres' ? sql<ClaimEntry>`json_each_text(${p.claims}::json)` : sql<ClaimEntry>`json_each(${p.claims})`).as(
        'held',
      ),
    )
    .set((eb) => ({
      state: p.state,
      attempts: p.attempts,
      due_at: eb.fn.coalesce(eb.val(p.dueAt), 'deliveries.due_at'),
      claim: null,
      claimed_until: null,
    }))
    .whereRef('deliveries.id', '=', 'held.key')
    .whereRef('deliveries.claim', '=', 'held.value')
    .returning('deliveries.id'),
);
interface ClaimEntry {
  key: string;
  value: string;
}

/**
 * Skips deliveries that have been claimed again meanwhile.
 * @param claims maps delivery ids to claims
 * @returns the changed deliveries' ids
 */
export async function updateDeliveries(
  tx: Executor,
  settlement: DeliveryUpdate,
  claims: Readonly<Record<string, string>>,
): Promise<string[]> {
  const changed = await updateClaimed.tuples<readonly [id: string]>(tx, { ...settlement, claims: JSON.stringify(claims) });
  return changed.map(([id]) => id);
}

export interface Attempt {
  readonly id: string;
  readonly deliveryId: string;
  readonly number: number;
  /** The attempt's start in kit time, as ISO 8601 UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The next attempt's kit time, as ISO 8601 UTC; null if none is planned. */
  readonly nextAt: string | null;
}

export function insertAttempts(tx: Executor, attempts: readonly Attempt[]): Promise<void> {
  announce(tx, 'recorded');
  return insertRows(tx, 'delivery_attempts', attempts.map(toAttemptRow));
}

function toAttemptRow({ id, deliveryId, number, at, durationMs, status, error, nextAt }: Attempt): Tables['delivery_attempts'] {
  return { id, delivery_id: deliveryId, number, at, duration_ms: durationMs, status, error, next_at: nextAt };
}

export const answeredAttempts = prepareQuery((db, p: { deliveryId: string }) =>
  db
    .selectFrom('delivery_attempts')
    .select(['number', 'status'])
    .where('delivery_id', '=', p.deliveryId)
    .where('status', 'is not', null)
    // A duplicate has the number 0, and is no attempt.
    .where('number', '>', 0)
    .orderBy('number'),
);

export async function listHeldDeliveries(db: Executor, subscriptionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', sql.lit('held'))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

const makeHeldDue = prepareQuery((db, p: { id: string; now: number; load: string }) =>
  db
    .updateTable('deliveries')
    .set({ state: 'pending', due_at: p.now })
    .where('id', '=', p.id)
    .where('state', '=', 'held')
    .where((eb) =>
      eb(eb.fn.coalesce(eb.selectFrom('meta').select('value').where('key', '=', sql.lit(LOAD_KEY)), sql.lit('')), '=', p.load),
    ),
);

/**
 * Makes a held delivery due at kit time `now`.
 * @param held.load an id that changes when a world is loaded, because another world can contain the same delivery id
 * @returns false if the delivery is no longer held, or if another world has been loaded
 */
export async function releaseHeld(tx: Executor, held: { id: string; now: number; load: string }): Promise<boolean> {
  announce(tx, 'due');
  return (await makeHeldDue.executeWrite(tx, held)) > 0;
}

export const unattemptedDelivery = prepareQuery((db, p: { id: string }) =>
  db.selectFrom('deliveries').select('id').where('id', '=', p.id).where('state', '=', 'pending').where('attempts', '=', 0),
);
