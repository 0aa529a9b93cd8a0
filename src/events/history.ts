import { sql } from 'kysely';
import { type Executor, getEngine } from '../store/engine.ts';
import type { Store } from '../store/store.ts';

const DEFAULT_CAPACITY = 5_000;
/** The number of commits between two removals. */
const REMOVAL_INTERVAL = 100;
/** A transaction that removed more deliveries or events would delay requests. */
const ROWS_PER_TRANSACTION = 100;
/** The key of the advisory lock that lets only one replica at a time remove a world's rows. */
const REMOVAL_LOCK = 0x78706b32;
/** The index on ended deliveries requires literals, not parameters. */
const ENDED = sql<boolean>`state in ('acknowledged', 'exhausted')`;

interface HistoryOptions {
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** The number of events, and of operators' changes, that are kept. */
  readonly capacity?: number | undefined;
}

/** @returns a function that stops the removal */
export function limitHistory({ store, onError, capacity = DEFAULT_CAPACITY }: HistoryOptions): () => Promise<void> {
  const stopping = new AbortController();
  const removeOld = createRemoval(store, capacity, stopping.signal);
  let commits = 0;
  let removing: Promise<void> | undefined;

  const unsubscribe = store.changes.subscribe((change) => {
    if (change !== 'recorded' || ++commits % REMOVAL_INTERVAL !== 0) return;
    removing ??= removeOld()
      .catch(onError)
      .finally(() => {
        removing = undefined;
      });
  });

  return async () => {
    stopping.abort();
    unsubscribe();
    await removing;
  };
}

/**
 * Returns a function that removes the ended deliveries of old events, old events without deliveries, and old changes, because otherwise
 * memory use would grow as long as the kit runs. Keeps deliveries that are still to be made, with their attempts and event.
 */
export function createRemoval(store: Store, capacity: number, ended: AbortSignal): () => Promise<void> {
  /** The newest event that was examined. If it was kept, it is removed with its last delivery, so a removal examines only new events. */
  let examined = '';

  async function findNewestOld(table: 'events' | 'changes'): Promise<string | undefined> {
    const row = await store.db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).offset(capacity).executeTakeFirst();
    return row?.id;
  }

  async function removeSomeEvents(tx: Executor, newest: string): Promise<{ mayBeMore: boolean; examined: string }> {
    if (!(await lockRemoval(tx))) return { mayBeMore: false, examined };
    const removable = tx
      .selectFrom('deliveries')
      .select(['id', 'event_id'])
      .where(ENDED)
      .where('event_id', '<=', newest)
      .orderBy('event_id')
      .limit(ROWS_PER_TRANSACTION);
    // Skips deliveries that another replica is making due again.
    const deliveries = await (getEngine(tx) === 'postgres' ? removable.forUpdate().skipLocked() : removable).execute();
    const deliveryIds = deliveries.map(({ id }) => id);
    if (deliveryIds.length > 0) await tx.deleteFrom('deliveries').where('id', 'in', deliveryIds).execute();
    const range = tx.selectFrom('events').select('id').where('id', '>', examined).where('id', '<=', newest);
    const events = await range.orderBy('id').limit(ROWS_PER_TRANSACTION).execute();
    const eventIds = [...deliveries.map(({ event_id }) => event_id), ...events.map(({ id }) => id)];
    if (eventIds.length > 0)
      await tx
        .deleteFrom('events')
        .where('id', 'in', eventIds)
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom('deliveries').select('id').whereRef('event_id', '=', 'events.id'))))
        .execute();
    const mayBeMore = Math.max(deliveries.length, events.length) === ROWS_PER_TRANSACTION;
    return { mayBeMore, examined: events.at(-1)?.id ?? examined };
  }

  return async () => {
    const newest = await findNewestOld('events');
    for (let mayBeMore = newest !== undefined; mayBeMore && !ended.aborted; )
      ({ mayBeMore, examined } = await store.write((tx) => removeSomeEvents(tx, newest!)));
    const newestChange = await findNewestOld('changes');
    if (newestChange !== undefined && !ended.aborted)
      await store.write((tx) => tx.deleteFrom('changes').where('id', '<=', newestChange).execute());
  };
}

async function lockRemoval(tx: Executor): Promise<boolean> {
  if (getEngine(tx) !== 'postgres') return true;
  const { rows } = await sql<{
    locked: boolean;
  }>`select pg_try_advisory_xact_lock(${REMOVAL_LOCK}, 'events'::regclass::oid::integer) as locked`.execute(tx);
  return rows[0]!.locked;
}
