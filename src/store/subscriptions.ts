import type { Executor } from './engine.ts';
import { prepared } from './prepared.ts';
import type { DeliveryState, Tables } from './schema.ts';

/** The subscriptions of a provider to all its Experiences or to this one, with their delivery modes as JSON, or null. */
export const subscriptionsFor = prepared((db, p: { providerId: string; experienceId: string }) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'types', 'mode'])
    .where('provider_id', '=', p.providerId)
    .where((eb) => eb.or([eb('experience_id', 'is', null), eb('experience_id', '=', p.experienceId)]))
    .orderBy('id'),
);

/** Where deliveries of a subscription are sent, the secret that signs them, and its delivery mode as JSON, or null. */
export const destinationOf = prepared((db, p: { id: string }) =>
  db.selectFrom('subscriptions').select(['destination_url as url', 'secret', 'mode']).where('id', '=', p.id),
);

/** The delivery mode of a subscription as JSON; null if there is none. */
export async function readMode(db: Executor, id: string): Promise<string | null> {
  return (await destinationOf.first(db, { id }))?.mode ?? null;
}

/** Counts one more delivery to reorder. On PostgreSQL, other transactions that publish to the subscription wait for this one. */
export const takeOrdinal = prepared((db, p: { subscriptionId: string }) =>
  db
    .updateTable('subscriptions')
    .set((eb) => ({ reorder_ordinal: eb('reorder_ordinal', '+', 1) }))
    .where('id', '=', p.subscriptionId)
    .where('reorder_ordinal', 'is not', null)
    .returning(['reorder_ordinal as ordinal', 'reorder_opened_at as openedAt']),
);

/** @param openedAt kit time, in milliseconds since the Unix epoch */
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

/** How many deliveries each subscription, or one, has in each state. States without deliveries are left out. */
export async function countByState(db: Executor, subscriptionId?: string): Promise<StateCount[]> {
  const query = db
    .selectFrom('deliveries')
    .select(['subscription_id as subscriptionId', 'state'])
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy(['subscription_id', 'state']);
  const rows = await (subscriptionId === undefined ? query : query.where('subscription_id', '=', subscriptionId)).execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
