import { sql } from 'kysely';
import type { Store } from '../store/store.ts';

const DEFAULT_CAPACITY = 5_000;
/** The number of commits between two removals. */
const REMOVAL_INTERVAL = 100;
/** A transaction that removed more events would delay requests. */
const EVENTS_PER_TRANSACTION = 100;

interface HistoryOptions {
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** The number of events, and of operators' changes, that are kept. */
  readonly capacity?: number | undefined;
}

/**
 * Removes old events with their deliveries, and old changes, because otherwise memory use would grow as long as the kit runs. Keeps events
 * with a delivery that is still to be made.
 * @returns a function that stops the removal
 */
export function limitHistory({ store, onError, capacity = DEFAULT_CAPACITY }: HistoryOptions): () => Promise<void> {
  let commits = 0;
  let removing: Promise<void> | undefined;
  let isStopped = false;

  const unsubscribe = store.changes.subscribe((change) => {
    if (change !== 'recorded' || ++commits % REMOVAL_INTERVAL !== 0) return;
    removing ??= removeOld()
      .catch(onError)
      .finally(() => {
        removing = undefined;
      });
  });

  async function removeOld(): Promise<void> {
    while (!isStopped && (await removeSomeEvents()) === EVENTS_PER_TRANSACTION);
    const { rows } = await sql<{ id: string }>`select id from changes order by id desc limit 1 offset ${capacity}`.execute(store.db);
    if (rows[0] && !isStopped) await store.write((tx) => tx.deleteFrom('changes').where('id', '<=', rows[0]!.id).execute());
  }

  async function removeSomeEvents(): Promise<number> {
    const newest = store.db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).offset(capacity);
    const removable = store.db
      .selectFrom('events')
      .select('id')
      .where('id', '<=', newest)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('deliveries').select('id').whereRef('event_id', '=', 'events.id').where('state', 'in', ['pending', 'held']))),
      )
      .orderBy('id')
      .limit(EVENTS_PER_TRANSACTION);
    const ids = (await removable.execute()).map(({ id }) => id);
    if (ids.length > 0) await store.write((tx) => tx.deleteFrom('events').where('id', 'in', ids).execute());
    return ids.length;
  }

  return async () => {
    isStopped = true;
    unsubscribe();
    await removing;
  };
}
