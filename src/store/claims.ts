import { sql } from 'kysely';
import { announce } from './changes.ts';
import { type ClockReading, createUnclaimedCondition, type Lane, type Owner, PENDING } from './due.ts';
import { type Executor, getEngine } from './engine.ts';
import { prepareQuery } from './prepared.ts';

export interface ClaimedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly body: string;
  /** Additional headers as a JSON object, or null. */
  readonly headers: string | null;
  readonly attempts: number;
  /** The claim's id. An attempt's result is stored only while the claim is unchanged. */
  readonly claim: string;
  /** The wall time at which the claim expires, in milliseconds. */
  readonly until: number;
}

export interface ClaimTerms extends ClockReading {
  readonly limit: number;
  readonly claim: string;
  readonly until: number;
}

/** If the subscription reorders deliveries, allows one first attempt at a time, because concurrent attempts can arrive in any order. */
function limitFirstAttempts({ subscriptionId, limit, wallClockMs }: Owner & ClaimTerms) {
  const inProgress = sql`exists (select 1 from deliveries where ${PENDING.first} and subscription_id = ${subscriptionId}
    and claimed_until > ${wallClockMs})`;
  return sql<number>`(case when exists (select 1 from subscriptions where id = ${subscriptionId} and reorder_ordinal is not null)
    then case when ${inProgress} then 0 else 1 end else ${limit} end)`;
}

const prepareClaim = (lane: Lane) =>
  prepareQuery((db, p: Owner & ClaimTerms) => {
    const due = db
      .selectFrom('deliveries')
      .select('id')
      .where(PENDING[lane])
      .where('subscription_id', '=', p.subscriptionId)
      .where('due_at', '<=', p.now)
      .where(createUnclaimedCondition(p.wallClockMs))
      .orderBy('due_at')
      .orderBy('id')
      .limit(lane === 'first' ? limitFirstAttempts(p) : p.limit);
    return (
      db
        .updateTable('deliveries')
        .set({ claim: p.claim, claimed_until: p.until })
        // PostgreSQL can execute `in (select …)` once per delivery, and would then claim more than `limit` deliveries.
        .where((eb) => (getEngine(db) === 'postgres' ? sql<boolean>`id = any(array${due.forUpdate().skipLocked()})` : eb('id', 'in', due)))
        .returning(['id', 'event_id', 'body', 'headers', 'attempts'])
    );
  });
type ClaimedRow = readonly [id: string, eventId: string, body: string, headers: string | null, attempts: number];
const claimQueries = { first: prepareClaim('first'), repeat: prepareClaim('repeat') } as const;

/** Concurrent calls claim different deliveries. */
export async function claimDeliveries(tx: Executor, owner: Owner, terms: ClaimTerms): Promise<ClaimedDelivery[]> {
  const rows = await claimQueries[owner.lane].tuples<ClaimedRow>(tx, { ...owner, ...terms });
  const { subscriptionId } = owner;
  return rows
    .map(
      ([id, eventId, body, headers, attempts]): ClaimedDelivery => ({
        id,
        eventId,
        subscriptionId,
        body,
        headers,
        attempts: Number(attempts),
        claim: terms.claim,
        until: terms.until,
      }),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Skips deliveries that another replica has claimed meanwhile. */
export async function releaseDeliveries(tx: Executor, claimed: readonly Pick<ClaimedDelivery, 'id' | 'claim'>[]): Promise<void> {
  announce(tx, 'due');
  const [ids, claims] = [claimed.map(({ id }) => id), claimed.map(({ claim }) => claim)];
  await tx
    .updateTable('deliveries')
    .set({ claim: null, claimed_until: null })
    .where('id', 'in', ids)
    .where('claim', 'in', [...new Set(claims)])
    .execute();
}

/** Call only if no running process has a claim. */
export const releaseAllClaims = prepareQuery((db, _: object) =>
  db.updateTable('deliveries').set({ claim: null, claimed_until: null }).where('claim', 'is not', null),
);

/**
 * Tries to lock each subscription that reorders deliveries, so that only one replica at a time claims its first attempts. The lock's key
 * contains the table, because the subscriptions of a copied world have the same ids.
 * @returns the ids of the subscriptions that another replica has already locked
 */
export async function findClaimedElsewhere(tx: Executor): Promise<ReadonlySet<string>> {
  if (getEngine(tx) !== 'postgres') return new Set();
  const { rows } = await sql<{ id: string; mine: boolean }>`
    select id, pg_try_advisory_xact_lock(hashtextextended(id, tableoid::bigint)) as mine
    from subscriptions where reorder_ordinal is not null`.execute(tx);
  return new Set(rows.filter(({ mine }) => !mine).map(({ id }) => id));
}
