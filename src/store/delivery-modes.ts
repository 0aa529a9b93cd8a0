import { sql } from 'kysely';
import { type Executor, engineOf } from './engine.ts';
import { LOAD } from './meta.ts';
import { prepared } from './prepared.ts';

/** The mode of a subscription as JSON. */
export async function readMode(db: Executor, subscriptionId: string): Promise<string | undefined> {
  const row = await db.selectFrom('delivery_modes').select('mode').where('subscription_id', '=', subscriptionId).executeTakeFirst();
  return row?.mode;
}

/**
 * Sets the mode; what it draws begins anew. A mode goes with its subscription, so who removes that waits for this, or this finds none.
 *
 * @param mode JSON. @param oneByOne whether first attempts keep the order of their moments. @returns false where there is no such subscription (any more).
 */
export async function writeMode(
  tx: Executor,
  subscriptionId: string,
  { mode, oneByOne }: { mode: string; oneByOne: boolean },
): Promise<boolean> {
  const held = engineOf(tx) === 'postgres' ? sql` for key share` : sql``;
  const { rows } = await sql`select 1 from subscriptions where id = ${subscriptionId}${held}`.execute(tx);
  if (rows.length === 0) return false;
  const columns = { mode, one_by_one: oneByOne ? 1 : 0, ordinal: 0, opened_at: 0 };
  await tx
    .insertInto('delivery_modes')
    .values({ subscription_id: subscriptionId, ...columns })
    .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(columns))
    .execute();
  return true;
}

export async function removeMode(tx: Executor, subscriptionId: string): Promise<void> {
  await tx.deleteFrom('delivery_modes').where('subscription_id', '=', subscriptionId).execute();
}

/** The ordinal of the next delivery, counted on, and the present window. On PostgreSQL others who publish to the subscription wait for it. */
export const takeOrdinal = prepared((db, p: { subscriptionId: string }) =>
  db
    .updateTable('delivery_modes')
    .set((eb) => ({ ordinal: eb('ordinal', '+', 1) }))
    .where('subscription_id', '=', p.subscriptionId)
    .returning(['ordinal', 'opened_at']),
);

/** @param openedAt kit time, in milliseconds since the Unix epoch. @param ordinal of the next delivery. */
export const openWindow = prepared((db, p: { subscriptionId: string; ordinal: number; openedAt: number }) =>
  db.updateTable('delivery_modes').set({ ordinal: p.ordinal, opened_at: p.openedAt }).where('subscription_id', '=', p.subscriptionId),
);

/** Any delivery of a subscription: none where it has had none since the world was loaded. */
export const anyDelivery = prepared((db, p: { subscriptionId: string }) =>
  db.selectFrom('deliveries').select('id').where('subscription_id', '=', p.subscriptionId).limit(1),
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
