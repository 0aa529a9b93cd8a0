import { sql } from 'kysely';
import { announce } from './changes.ts';
import type { Attempt } from './deliveries.ts';
import type { Executor } from './engine.ts';
import { prepareQuery } from './prepared.ts';
import type { DeliveryState, Tables } from './schema.ts';

export interface DeliveryFilter {
  readonly subscriptionId?: string | undefined;
  readonly type?: string | undefined;
  readonly entityId?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly id?: string | undefined;
  readonly eventId?: string | undefined;
  readonly eventIds?: readonly string[] | undefined;
  /** Lists only deliveries created after the delivery with this id. */
  readonly since?: string | undefined;
}

export type DeliveryRow = Tables['deliveries'] & { readonly type: string; readonly entity_id: string; readonly alias: string | null };

/** `due-first` selects only pending deliveries. */
export type DeliveryOrder = 'newest-first' | 'due-first';

export async function listDeliveries(
  db: Executor,
  filter: DeliveryFilter,
  limit = Number.MAX_SAFE_INTEGER,
  order: DeliveryOrder = 'newest-first',
): Promise<DeliveryRow[]> {
  // PostgreSQL rejects NUL characters.
  if (filter.entityId?.includes('\0')) return [];
  // PostgreSQL rejects an empty list of values.
  if (filter.eventIds?.length === 0) return [];
  let query = db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .leftJoin('subscriptions', 'subscriptions.id', 'deliveries.subscription_id')
    .selectAll('deliveries')
    .select(['events.type as type', 'events.entity_id as entity_id', 'subscriptions.alias as alias']);
  if (filter.id !== undefined) query = query.where('deliveries.id', '=', filter.id);
  if (filter.eventId !== undefined) query = query.where('deliveries.event_id', '=', filter.eventId);
  if (filter.eventIds !== undefined) query = query.where('deliveries.event_id', 'in', filter.eventIds);
  if (filter.since !== undefined) query = query.where('deliveries.id', '>', filter.since);
  if (filter.subscriptionId !== undefined) query = query.where('deliveries.subscription_id', '=', filter.subscriptionId);
  if (filter.type !== undefined) query = query.where('events.type', '=', filter.type);
  if (filter.entityId !== undefined) query = query.where('events.entity_id', '=', filter.entityId);
  if (filter.state !== undefined) query = query.where('deliveries.state', '=', filter.state);
  // The index on pending deliveries requires a literal, not a parameter.
  query =
    order === 'due-first'
      ? query.where('deliveries.state', '=', sql.lit('pending')).orderBy('deliveries.due_at').orderBy('deliveries.id')
      : query.orderBy('deliveries.id', 'desc');
  return query.limit(limit).execute();
}

export async function listEvents(
  db: Executor,
  {
    type,
    entityId,
    id,
    since,
    before,
    subscriptionId,
    state,
  }: Pick<DeliveryFilter, 'type' | 'entityId' | 'id' | 'since' | 'subscriptionId'> & {
    readonly before?: string | undefined;
    /** Lists only events with a delivery in this state. `failing`: pending after a failed attempt. */
    readonly state?: DeliveryState | 'failing' | undefined;
  },
  limit: number,
): Promise<Tables['events'][]> {
  if (entityId?.includes('\0')) return [];
  let query = db.selectFrom('events').selectAll();
  if (type !== undefined) query = query.where('type', '=', type);
  if (entityId !== undefined) query = query.where('entity_id', '=', entityId);
  if (id !== undefined) query = query.where('id', '=', id);
  if (since !== undefined) query = query.where('id', '>', since);
  if (before !== undefined) query = query.where('id', '<', before);
  if (subscriptionId !== undefined || state !== undefined)
    query = query.where(({ exists, selectFrom }) => {
      let deliveries = selectFrom('deliveries').select('deliveries.id').whereRef('deliveries.event_id', '=', 'events.id');
      if (subscriptionId !== undefined) deliveries = deliveries.where('subscription_id', '=', subscriptionId);
      if (state !== undefined) deliveries = deliveries.where('state', '=', state === 'failing' ? 'pending' : state);
      if (state === 'failing') deliveries = deliveries.where('attempts', '>', 0);
      return exists(deliveries);
    });
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function countPending(db: Executor): Promise<number> {
  const { count } = await db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', '=', sql.lit('pending'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const ATTEMPT_COLUMNS = [
  ...(['delivery_attempts.id', 'delivery_id as deliveryId', 'number', 'at', 'duration_ms as durationMs'] as const),
  ...(['status', 'error', 'next_at as nextAt'] as const),
] as const;

export function listAttempts(db: Executor, deliveryId: string): Promise<Attempt[]> {
  const query = db.selectFrom('delivery_attempts').select(ATTEMPT_COLUMNS).where('delivery_id', '=', deliveryId);
  return query.orderBy('number').orderBy('id').execute();
}

/** Makes deliveries due at kit time `now`, even acknowledged and exhausted ones. Skips claimed deliveries. */
export async function resendDeliveries(
  tx: Executor,
  selection: { readonly id: string } | { readonly subscriptionId: string; readonly since: string; readonly acknowledged: boolean },
  now: number,
): Promise<number> {
  announce(tx, 'due');
  let query = tx.updateTable('deliveries').set({ state: 'pending', due_at: now }).where('claim', 'is', null);
  if ('id' in selection) query = query.where('id', '=', selection.id);
  else {
    // Only `xpk release` may send a held delivery.
    query = query
      .where('subscription_id', '=', selection.subscriptionId)
      .where('created_at', '>=', selection.since)
      .where('state', '!=', 'held');
    if (!selection.acknowledged) query = query.where('state', '!=', 'acknowledged');
  }
  const { numUpdatedRows } = await query.executeTakeFirst();
  return Number(numUpdatedRows);
}

export function listReceived(db: Executor, subscriptionId: string | undefined): Promise<Tables['inbox'][]> {
  const query = db.selectFrom('inbox').selectAll().orderBy('id');
  return (subscriptionId === undefined ? query : query.where('subscription_id', '=', subscriptionId)).execute();
}

export function findReceived(db: Executor, deliveryId: string): Promise<Tables['inbox'] | undefined> {
  return db.selectFrom('inbox').selectAll().where('delivery_id', '=', deliveryId).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** Ids sort by creation time. */
export interface IdRange {
  readonly after: string;
  /** The exclusive upper bound, from `Database.findMinimumFutureId`. */
  readonly before: string;
  readonly limit: number;
}

export const listEventsAfter = prepareQuery((db, p: IdRange) =>
  db.selectFrom('events').selectAll().where('id', '>', p.after).where('id', '<', p.before).orderBy('id').limit(p.limit),
);

export const listAttemptsAfter = prepareQuery((db, p: IdRange) =>
  db
    .selectFrom('delivery_attempts')
    .innerJoin('deliveries', 'deliveries.id', 'delivery_attempts.delivery_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(ATTEMPT_COLUMNS)
    .select(['deliveries.subscription_id', 'deliveries.state', 'events.type', 'events.entity_id'])
    .where('delivery_attempts.id', '>', p.after)
    .where('delivery_attempts.id', '<', p.before)
    .orderBy('delivery_attempts.id')
    .limit(p.limit),
);
