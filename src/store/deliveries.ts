import { sql } from 'kysely';
import { type Executor, engineOf } from './engine.ts';
import { prepared } from './prepared.ts';
import type { DeliveryState, Tables } from './schema.ts';

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
}

/** First attempts and repeats are claimed apart: those of a dead endpoint do not stand in the way of new events. */
export type Lane = 'first' | 'repeat';

/**
 * Subscriptions that have something to be sent at this kit time, or had it claimed by somebody whose lease is over (wall time). It goes from one
 * subscription to the next and not over all that waits: an endpoint that is dead for a day has a lot of it.
 */
export async function dueSubscriptions(db: Executor, { now, wall }: { readonly now: number; readonly wall: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive waiting (id) as (
      select min(subscription_id) from deliveries where state = 'pending'
      union all
      select (select min(subscription_id) from deliveries where state = 'pending' and subscription_id > waiting.id)
      from waiting where waiting.id is not null
    )
    select id from waiting where id is not null and exists (
      select 1 from deliveries where state = 'pending' and subscription_id = waiting.id and due_at <= ${now}
        and (claimed_until is null or claimed_until <= ${wall})
    )`.execute(db);
  return rows.map(({ id }) => id);
}

/** The kit time at which the next delivery is due that nobody attempts. */
export const nextDue = prepared((db, p: { wall: number }) =>
  db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.min('due_at').as('due'))
    .where('state', '=', 'pending')
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', p.wall)])),
);

export interface Claim {
  readonly subscriptionId: string;
  readonly lane: Lane;
  readonly limit: number;
  /** What nobody else has: an attempt that lost its claim may not write. */
  readonly claim: string;
  readonly now: number;
  readonly wall: number;
  /** Wall time until which the claim holds. */
  readonly until: number;
}

/** How many first attempts may be claimed: where they are shuffled one, when that before it has ended. Several would arrive in an order of their own. */
function firstAttempts(subscriptionId: string, limit: number, wall: number) {
  const underWay = sql`exists (select 1 from deliveries where state = 'pending' and subscription_id = ${subscriptionId} and attempts = 0
    and claimed_until > ${wall})`;
  return sql`(case when exists (select 1 from delivery_modes where subscription_id = ${subscriptionId} and one_by_one = 1)
    then case when ${underWay} then 0 else 1 end else ${sql.lit(limit)} end)`;
}

/** Takes the next deliveries of a subscription, the earliest first. Of several replicas that ask at once each gets others. */
export async function claim(tx: Executor, { subscriptionId, lane, limit, claim, now, wall, until }: Claim): Promise<Due[]> {
  const skipLocked = engineOf(tx) === 'postgres' ? sql` for update skip locked` : sql``;
  const chosen = sql`select id from deliveries where state = 'pending' and subscription_id = ${subscriptionId} and due_at <= ${now}
    and (claimed_until is null or claimed_until <= ${wall}) and ${lane === 'first' ? sql`attempts = 0` : sql`attempts > 0`}
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
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Lets go of claims: of these deliveries, or of all, as at the start of the only kit of a database, where whoever made them is gone. */
export async function release(tx: Executor, ids?: readonly string[]): Promise<void> {
  const query = tx.updateTable('deliveries').set({ claim: null, claimed_until: null });
  await (ids === undefined ? query.where('claim', 'is not', null) : query.where('id', 'in', [...ids])).execute();
}

type Outcome = { id: string; claim: string; state: DeliveryState; attempts: number; dueAt: number };

/** Writes down what an attempt came to. Changes nothing, and says 0, where the claim was lost. */
export const settle = prepared((db, p: Outcome) =>
  db
    .updateTable('deliveries')
    .set({ state: p.state, attempts: p.attempts, due_at: p.dueAt, claim: null, claimed_until: null })
    .where('id', '=', p.id)
    .where('claim', '=', p.claim),
);

export interface Attempt {
  readonly id: string;
  readonly deliveryId: string;
  /** From 1. */
  readonly number: number;
  /** Kit time, ISO 8601 UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** Kit time of the next one; null where there is none. */
  readonly nextAt: string | null;
}

export const insertAttempt = prepared((db, p: { -readonly [Member in keyof Attempt]: Attempt[Member] }) =>
  db.insertInto('delivery_attempts').values({
    id: p.id,
    delivery_id: p.deliveryId,
    number: p.number,
    at: p.at,
    duration_ms: p.durationMs,
    status: p.status,
    error: p.error,
    next_at: p.nextAt,
  }),
);

type Received = { id: string; deliveryId: string; subscriptionId: string; receivedAt: string; headers: string; body: string };

export const insertReceived = prepared((db, p: Received) =>
  db.insertInto('inbox').values({
    id: p.id,
    delivery_id: p.deliveryId,
    subscription_id: p.subscriptionId,
    received_at: p.receivedAt,
    headers: p.headers,
    body: p.body,
  }),
);

/** Where a subscription is sent to, and its delivery mode as JSON, or null. */
export const destinationOf = prepared((db, p: { id: string }) =>
  db
    .selectFrom('subscriptions')
    .leftJoin('delivery_modes', 'delivery_modes.subscription_id', 'subscriptions.id')
    .select(['destination_url as url', 'mode'])
    .where('id', '=', p.id),
);
