import { sql } from 'kysely';
import { type Executor, engineOf } from './engine.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './schema.ts';

/** A delivery that this process has claimed. No other process attempts the delivery. */
export interface Due {
  readonly id: string;
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly body: string;
  /** The additional headers of this delivery as a JSON object; null without additional headers. */
  readonly headers: string | null;
  /** The number of attempts of this delivery that have ended. */
  readonly attempts: number;
  /** The id of the claim. The result of an attempt is stored only if the delivery still has this claim. */
  readonly claim: string;
}

/** First attempts and repeats are claimed separately, so that repeats for an unreachable endpoint do not delay new events. */
export type Lane = 'first' | 'repeat';

/** A subscription and a lane. The due deliveries of an owner are claimed together. */
export interface Owner {
  readonly subscriptionId: string;
  readonly lane: Lane;
}

/**
 * The condition for pending deliveries of a lane. It must have the same text as in migration 0007, so that the database uses the partial
 * index.
 */
const PENDING = {
  first: sql`state = 'pending' and attempts = 0`,
  repeat: sql`state = 'pending' and attempts > 0`,
} as const satisfies Record<Lane, unknown>;

interface Moment {
  /** Kit time, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Wall time, in milliseconds since the Unix epoch. */
  readonly wall: number;
}

/**
 * Finds owners with due deliveries in the lane. A delivery is due from `due_at` on (kit time), unless it has a claim that has not expired
 * (wall time). The query finds one subscription after another, because it would be slow to read all pending deliveries: an endpoint that is
 * down for a day has many pending deliveries. The query does not use `exists`, because PostgreSQL would rewrite `exists` as a join over all
 * pending deliveries.
 */
export async function dueOwners(db: Executor, lane: Lane, { now, wall }: Moment): Promise<Owner[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive waiting (id) as (
      select min(subscription_id) from deliveries where ${PENDING[lane]}
      union all
      select (select min(subscription_id) from deliveries where ${PENDING[lane]} and subscription_id > waiting.id)
      from waiting where waiting.id is not null
    )
    select id from waiting where id is not null and (
      select 1 from deliveries where ${PENDING[lane]} and subscription_id = waiting.id and due_at <= ${now}
        and (claimed_until is null or claimed_until <= ${wall}) limit 1
    ) is not null`.execute(db);
  return rows.map(({ id }) => ({ subscriptionId: id, lane }));
}

/** Finds the kit time at which the next unclaimed delivery is due. */
export const nextDue = prepared((db, p: { wall: number }) =>
  db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.min('due_at').as('due'))
    .where('state', '=', sql.lit('pending'))
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', p.wall)])),
);

export interface Claim extends Moment {
  /** The maximum number of deliveries to claim for one owner. */
  readonly limit: number;
  /** A unique id for the claim. */
  readonly claim: string;
  /** The wall time at which the claim expires, in milliseconds since the Unix epoch. */
  readonly until: number;
}

/**
 * Returns SQL for the maximum number of first attempts to claim. With reordering, only one attempt may run at a time, because concurrent
 * attempts have no fixed order.
 */
function firstAttempts(subscriptionId: string, limit: number, wall: number) {
  const inProgress = sql`exists (select 1 from deliveries where ${PENDING.first} and subscription_id = ${subscriptionId}
    and claimed_until > ${wall})`;
  return sql`(case when exists (select 1 from subscriptions where id = ${subscriptionId} and reorder_ordinal is not null)
    then case when ${inProgress} then 0 else 1 end else ${sql.lit(limit)} end)`;
}

/** Claims the next due deliveries of an owner, the earliest first. Concurrent calls from two replicas claim different deliveries. */
export async function claim(tx: Executor, { subscriptionId, lane }: Owner, { limit, claim, now, wall, until }: Claim): Promise<Due[]> {
  const skipLocked = engineOf(tx) === 'postgres' ? sql` for update skip locked` : sql``;
  const due = sql`select id from deliveries where ${PENDING[lane]} and subscription_id = ${subscriptionId} and due_at <= ${now}
    and (claimed_until is null or claimed_until <= ${wall})
    order by due_at, id limit ${lane === 'first' ? firstAttempts(subscriptionId, limit, wall) : sql.lit(limit)}${skipLocked}`;
  const { rows } = await sql<Pick<Tables['deliveries'], 'id' | 'event_id' | 'subscription_id' | 'body' | 'headers' | 'attempts'>>`
    update deliveries set claim = ${claim}, claimed_until = ${until} where id in (${due})
    returning id, event_id, subscription_id, body, headers, attempts`.execute(tx);
  return rows
    .map((row) => ({
      id: row.id,
      eventId: row.event_id,
      subscriptionId: row.subscription_id,
      body: row.body,
      headers: row.headers,
      attempts: Number(row.attempts),
      claim,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Releases the given claims, except claims that another replica has replaced. Other replicas may then claim the deliveries at once. */
export async function release(tx: Executor, claimed: readonly Pick<Due, 'id' | 'claim'>[]): Promise<void> {
  const [ids, claims] = [claimed.map(({ id }) => id), claimed.map(({ claim }) => claim)];
  await tx
    .updateTable('deliveries')
    .set({ claim: null, claimed_until: null })
    .where('id', 'in', ids)
    .where('claim', 'in', [...new Set(claims)])
    .execute();
}

/** Releases all claims. Call this only if no claim belongs to a running process: after a restart on SQLite, or in a snapshot. */
export const releaseAll = prepared((db, _: object) =>
  db.updateTable('deliveries').set({ claim: null, claimed_until: null }).where('claim', 'is not', null),
);

/**
 * Finds subscriptions with reordering whose deliveries another replica is claiming in an open transaction. The claim of the other replica
 * is not visible before its commit. Without this check, two attempts could run at the same time.
 */
export async function claimedElsewhere(tx: Executor): Promise<ReadonlySet<string>> {
  if (engineOf(tx) !== 'postgres') return new Set();
  const { rows } = await sql<{ id: string; mine: boolean }>`
    select id, pg_try_advisory_xact_lock(hashtextextended(id, 0)) as mine
    from subscriptions where reorder_ordinal is not null`.execute(tx);
  return new Set(rows.filter(({ mine }) => !mine).map(({ id }) => id));
}
