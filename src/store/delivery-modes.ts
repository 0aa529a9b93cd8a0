import { sql } from 'kysely';
import type { Executor } from './engine.ts';
import { LOAD } from './meta.ts';
import { prepared } from './prepared.ts';

/** The mode of a subscription as JSON; undefined where there is none. */
export async function readMode(db: Executor, subscriptionId: string): Promise<string | undefined> {
  const row = await db.selectFrom('subscriptions').select('mode').where('id', '=', subscriptionId).executeTakeFirst();
  return row?.mode ?? undefined;
}

/** Counts one more delivery to reorder. On PostgreSQL other transactions that publish to the subscription wait for this one. */
export const takeOrdinal = prepared((db, p: { subscriptionId: string }) =>
  db
    .updateTable('subscriptions')
    .set((eb) => ({ reorder_ordinal: eb('reorder_ordinal', '+', 1) }))
    .where('id', '=', p.subscriptionId)
    .where('reorder_ordinal', 'is not', null)
    .returning(['reorder_ordinal as ordinal', 'reorder_opened_at as opened_at']),
);

/** @param openedAt kit time, in milliseconds since the Unix epoch. */
export const openWindow = prepared((db, p: { subscriptionId: string; openedAt: number }) =>
  db.updateTable('subscriptions').set({ reorder_opened_at: p.openedAt }).where('id', '=', p.subscriptionId),
);

/** The attempts of a delivery that were answered, with what, the first of them first. */
export const answeredAttempts = prepared((db, p: { deliveryId: string }) =>
  db
    .selectFrom('delivery_attempts')
    .select(['number', 'status'])
    .where('delivery_id', '=', p.deliveryId)
    .where('status', 'is not', null)
    .orderBy('number'),
);

/** What is held, the oldest first. */
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

/**
 * Makes what is held due. Changes nothing, and says 0, where it is not held any more, or another world is loaded: a snapshot may hold it, too.
 *
 * @param now kit time, in milliseconds. @param load of the world in which it was held.
 */
export const letGo = prepared((db, p: { id: string; now: number; load: string }) =>
  db
    .updateTable('deliveries')
    .set({ state: 'pending', due_at: p.now })
    .where('id', '=', p.id)
    .where('state', '=', 'held')
    .where((eb) => eb(eb.fn.coalesce(eb.selectFrom('meta').select('value').where('key', '=', sql.lit(LOAD)), sql.lit('')), '=', p.load)),
);

/** A row as long as a delivery waits for its first attempt or has it under way. */
export const unattempted = prepared((db, p: { id: string }) =>
  db.selectFrom('deliveries').select('id').where('id', '=', p.id).where('state', '=', 'pending').where('attempts', '=', 0),
);
