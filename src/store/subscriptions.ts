import type { Executor } from './engine.ts';
import { prepareQuery } from './prepared.ts';
import type { DeliveryState, Tables } from './schema.ts';

/** `mode` is a delivery mode as JSON, or null. */
export const subscriptionsToExperience = prepareQuery(
  (db, p: { providerId: string; experienceId: string }) =>
    db
      .selectFrom('subscriptions')
      .select(['id', 'types', 'destination_url as url', 'secret', 'mode'])
      .where('provider_id', '=', p.providerId)
      .where((eb) => eb.or([eb('experience_id', 'is', null), eb('experience_id', '=', p.experienceId)]))
      .orderBy('id'),
  { remembers: true },
);

export const destinationById = prepareQuery(
  (db, p: { id: string }) => db.selectFrom('subscriptions').select(['destination_url as url', 'secret', 'mode']).where('id', '=', p.id),
  { remembers: true },
);

/** Returns a subscription's delivery mode as JSON, or null. */
export async function readMode(db: Executor, id: string): Promise<string | null> {
  return (await destinationById.first(db, { id }))?.mode ?? null;
}

/** The row stays locked until the transaction ends. */
export const incrementOrdinal = prepareQuery((db, p: { subscriptionId: string }) =>
  db
    .updateTable('subscriptions')
    .set((eb) => ({ reorder_ordinal: eb('reorder_ordinal', '+', 1) }))
    .where('id', '=', p.subscriptionId)
    .where('reorder_ordinal', 'is not', null)
    .returning(['reorder_ordinal as ordinal', 'reorder_opened_at as openedAt']),
);

export const saveReorderWindowStart = prepareQuery((db, p: { subscriptionId: string; openedAt: number }) =>
  db.updateTable('subscriptions').set({ reorder_opened_at: p.openedAt }).where('id', '=', p.subscriptionId),
);

export function listSubscriptions(db: Executor, id?: string): Promise<Tables['subscriptions'][]> {
  const query = db.selectFrom('subscriptions').selectAll().orderBy('alias');
  return (id === undefined ? query : query.where('id', '=', id)).execute();
}

interface StateCount {
  readonly subscriptionId: string;
  readonly state: DeliveryState;
  readonly count: number;
}

export async function countByState(db: Executor, subscriptionId?: string): Promise<StateCount[]> {
  const query = db
    .selectFrom('deliveries')
    .select(['subscription_id as subscriptionId', 'state'])
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy(['subscription_id', 'state']);
  const rows = await (subscriptionId === undefined ? query : query.where('subscription_id', '=', subscriptionId)).execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
