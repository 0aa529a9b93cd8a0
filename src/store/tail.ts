import { sql } from 'kysely';
import { idsFrom } from '../clock/ids.ts';
import { prepared } from './prepared.ts';
import type { Store } from './store.ts';

/** A part of what comes after an id: ids sort by the moment at which they were made. */
export type Part = {
  readonly after: string;
  /** An id that none of them may reach. */
  readonly before: string;
  readonly limit: number;
};

/** How far, in milliseconds, the clocks of replicas and of PostgreSQL may be apart, and an id older than the transaction that it was made for. */
const SKEW_MS = 500;
/** Greater than any id. */
const NO_END = '~';

/**
 * Every row whose id is less than this is there, or never will be. Transactions end in another order than they begin in: on PostgreSQL what is under
 * way, in any replica, may bring rows with ids from its beginning on.
 *
 * @param wall wall time, in milliseconds since the Unix epoch
 */
export async function settledBefore({ engine, db }: Pick<Store, 'engine' | 'db'>, wall: number): Promise<string> {
  if (engine === 'sqlite') return NO_END;
  const { rows } = await sql<{ began: number | null }>`select floor(extract(epoch from min(xact_start)) * 1000)::bigint as began
    from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`.execute(db);
  return idsFrom(Math.min(wall, rows[0]?.began ?? wall) - SKEW_MS);
}

/** What was published, the oldest first. */
export const eventsAfter = prepared((db, p: Part) =>
  db.selectFrom('events').selectAll().where('id', '>', p.after).where('id', '<', p.before).orderBy('id').limit(p.limit),
);

/** Attempts that have ended, the oldest first, with the deliveries that they were made of and those as they are now. */
export const attemptsAfter = prepared((db, p: Part) =>
  db
    .selectFrom('delivery_attempts')
    .innerJoin('deliveries', 'deliveries.id', 'delivery_attempts.delivery_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .selectAll('delivery_attempts')
    .select(['deliveries.subscription_id', 'deliveries.state', 'events.type', 'events.entity_id'])
    .where('delivery_attempts.id', '>', p.after)
    .where('delivery_attempts.id', '<', p.before)
    .orderBy('delivery_attempts.id')
    .limit(p.limit),
);
