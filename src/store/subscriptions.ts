import type { Executor } from './engine.ts';
import { prepared } from './prepared.ts';
import type { DeliveryState, Tables } from './schema.ts';

/** The subscriptions of a provider to events of an Experience, with their delivery modes as JSON; null if there is none. */
export const subscriptionsFor = prepared((db, p: { providerId: string; experienceId: string }) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'types', 'mode'])
    .where('provider_id', '=', p.providerId)
    .where((eb) => eb.or([eb('experience_id', 'is', null), eb('experience_id', '=', p.experienceId)]))
    .orderBy('id'),
);

/** The destination, the signing secret, and the delivery mode (JSON; null if there is none) of a subscription. */
export const destinationOf = prepared((db, p: { id: string }) =>
  db.selectFrom('subscriptions').select(['destination_url as url', 'secret', 'mode']).where('id', '=', p.id),
);

/** The delivery mode of a subscription as JSON; null if there is none. */
export async function readMode(db: Executor, id: string): Promise<string | null> {
  return (await destinationOf.first(db, { id }))?.mode ?? null;
}

/** Counts a delivery to reorder and returns its ordinal. Other transactions that do so for the subscription wait until this one ends. */
export const takeOrdinal = prepared((db, p: { subscriptionId: string }) =>
  db
    .updateTable('subscriptions')
    .set((eb) => ({ reorder_ordinal: eb('reorder_ordinal', '+', 1) }))
    .where('id', '=', p.subscriptionId)
    .where('reorder_ordinal', 'is not', null)
    .returning(['reorder_ordinal as ordinal', 'reorder_opened_at as openedAt']),
);

/** Stores that a reorder window of a subscription has opened. @param openedAt kit time, in milliseconds since the Unix epoch */
export const openWindow = prepared((db, p: { subscriptionId: string; openedAt: number }) =>
  db.updateTable('subscriptions').set({ reorder_opened_at: p.openedAt }).where('id', '=', p.subscriptionId),
);

/** All subscriptions by alias, or the one with this id. */
export function listSubscriptions(db: Executor, id?: string): Promise<Tables['subscriptions'][]> {
  const query = db.selectFrom('subscriptions').selectAll().orderBy('alias');
  return (id === undefined ? query : query.where('id', '=', id)).execute();
}

interface StateCount {
  readonly subscriptionId: string;
  readonly state: DeliveryState;
  readonly count: number;
}

/** The number of deliveries in each state, of one or all subscriptions. States without deliveries are left out. */
export async function countByState(db: Executor, subscriptionId?: string): Promise<StateCount[]> {
  const query = db
    .selectFrom('deliveries')
    .select(['subscription_id as subscriptionId', 'state'])
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy(['subscription_id', 'state']);
  const rows = await (subscriptionId === undefined ? query : query.where('subscription_id', '=', subscriptionId)).execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
