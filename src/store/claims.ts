import { sql } from 'kysely';
import { type Executor, engineOf } from './engine.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './schema.ts';

/** A delivery that is to be attempted now. */
export interface Due {
  readonly id: string;
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly body: string;
  /** Its own, beside those of every delivery, as JSON; null where it has none. */
  readonly headers: string | null;
  /** How many attempts there were before. */
  readonly attempts: number;
  /** Who loses it may not write down what came of the attempt. */
  readonly claim: string;
}

/** First attempts and repeats are claimed apart: those of a dead endpoint do not stand in the way of new events. */
export type Lane = 'first' | 'repeat';

/** Whose deliveries are claimed: one lane of a subscription. */
export interface Owner {
  readonly subscriptionId: string;
  readonly lane: Lane;
}

/** The rows of a lane that wait or are under way, in the words of its index. */
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
 * Owners in this lane that have something to be sent at this kit time, or had it claimed by somebody whose lease is over (wall time). It goes from one
 * subscription to the next and not over all that waits: an endpoint that is dead for a day has a lot of it. PostgreSQL would make a join over all of it
 * of an `exists`.
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

/** The kit time at which the next delivery is due that nobody attempts. */
export const nextDue = prepared((db, p: { wall: number }) =>
  db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.min('due_at').as('due'))
    .where('state', '=', sql.lit('pending'))
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', p.wall)])),
);

export interface Claim extends Moment {
  /** How many of each owner. */
  readonly limit: number;
  /** What nobody else has: an attempt that lost its claim may not write. */
  readonly claim: string;
  /** Wall time until which the claim holds. */
  readonly until: number;
}

/** How many first attempts may be claimed: where they are shuffled one, when that before it has ended. Several would arrive in an order of their own. */
function firstAttempts(subscriptionId: string, limit: number, wall: number) {
  const underWay = sql`exists (select 1 from deliveries where ${PENDING.first} and subscription_id = ${subscriptionId}
    and claimed_until > ${wall})`;
  return sql`(case when exists (select 1 from subscriptions where id = ${subscriptionId} and reorder_ordinal is not null)
    then case when ${underWay} then 0 else 1 end else ${sql.lit(limit)} end)`;
}

/** Takes the next deliveries of an owner, the earliest first. Of several replicas that ask at once each gets others. */
export async function claim(tx: Executor, { subscriptionId, lane }: Owner, { limit, claim, now, wall, until }: Claim): Promise<Due[]> {
  const skipLocked = engineOf(tx) === 'postgres' ? sql` for update skip locked` : sql``;
  const chosen = sql`select id from deliveries where ${PENDING[lane]} and subscription_id = ${subscriptionId} and due_at <= ${now}
    and (claimed_until is null or claimed_until <= ${wall})
    order by due_at, id limit ${lane === 'first' ? firstAttempts(subscriptionId, limit, wall) : sql.lit(limit)}${skipLocked}`;
  const { rows } = await sql<Pick<Tables['deliveries'], 'id' | 'event_id' | 'subscription_id' | 'body' | 'headers' | 'attempts'>>`
    update deliveries set claim = ${claim}, claimed_until = ${until} where id in (${chosen})
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

/** Far below as many values as either engine takes in a statement. */
const RELEASED_AT_ONCE = 500;

/** Lets go of claims: of these, as far as they hold, or of all, as at the start of the only kit of a database, where whoever made them is gone. */
export async function release(tx: Executor, claimed?: readonly Pick<Due, 'id' | 'claim'>[]): Promise<void> {
  const query = tx.updateTable('deliveries').set({ claim: null, claimed_until: null });
  if (claimed === undefined) return void (await query.where('claim', 'is not', null).execute());
  for (const [claim, of] of Map.groupBy(claimed, (each) => each.claim)) {
    const ids = of.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += RELEASED_AT_ONCE)
      await query
        .where('claim', '=', claim)
        .where('id', 'in', ids.slice(at, at + RELEASED_AT_ONCE))
        .execute();
  }
}

/**
 * Subscriptions whose first attempts keep an order and are claimed by another replica at this moment: what that has claimed cannot be seen before its
 * commit, and a second claim would make two attempts at once.
 */
export async function claimedElsewhere(tx: Executor): Promise<ReadonlySet<string>> {
  if (engineOf(tx) !== 'postgres') return new Set();
  const { rows } = await sql<{ id: string; mine: boolean }>`
    select id, pg_try_advisory_xact_lock(hashtextextended(id, 0)) as mine
    from subscriptions where reorder_ordinal is not null`.execute(tx);
  return new Set(rows.filter(({ mine }) => !mine).map(({ id }) => id));
}
