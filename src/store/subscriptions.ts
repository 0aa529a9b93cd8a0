import { sql } from 'kysely';
import type { Attempt } from './deliveries.ts';
import { ATTEMPT_COLUMNS } from './delivery-list.ts';
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

export async function countByState(db: Executor): Promise<StateCount[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['subscription_id as subscriptionId', 'state'])
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy(['subscription_id', 'state'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

interface PendingDeliveries {
  readonly subscriptionId: string;
  /** The number of deliveries with a failed attempt. */
  readonly failing: number;
  /** In milliseconds since the Unix epoch. */
  readonly dueAt: number;
}

export async function summarizePending(db: Executor): Promise<PendingDeliveries[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['subscription_id as subscriptionId'])
    .select(({ fn, lit, case: choose }) => [
      fn.sum<number | string>(choose().when('attempts', '>', 0).then(lit(1)).else(lit(0)).end()).as('failing'),
      fn.min<number | string>('due_at').as('dueAt'),
    ])
    // The index on pending deliveries requires a literal, not a parameter.
    .where('state', '=', sql.lit('pending'))
    .groupBy('subscription_id')
    .execute();
  return rows.map((row) => ({ ...row, failing: Number(row.failing), dueAt: Number(row.dueAt) }));
}

/** Lists the newest attempts to all receivers, newest first. */
export function listNewestAttempts(db: Executor, limit: number): Promise<(Attempt & { readonly subscriptionId: string })[]> {
  return db
    .selectFrom('delivery_attempts')
    .innerJoin('deliveries', 'deliveries.id', 'delivery_attempts.delivery_id')
    .select(ATTEMPT_COLUMNS)
    .select('subscription_id as subscriptionId')
    .orderBy('delivery_attempts.id', 'desc')
    .limit(limit)
    .execute();
}
