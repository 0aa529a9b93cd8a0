import { sql } from 'kysely';
import type { Executor } from './engine.ts';
import { prepareQuery } from './prepared.ts';

/** First attempts and repeats are claimed separately, so that repeats for an unreachable endpoint do not delay new events. */
export type Lane = 'first' | 'repeat';

/** The subscription and lane to which deliveries belong. An owner's due deliveries are claimed together. */
export interface Owner {
  readonly subscriptionId: string;
  readonly lane: Lane;
}

export interface DueOwner extends Owner {
  /** The number of the owner's due deliveries; Infinity if these deliveries were not counted. */
  readonly due: number;
}

/**
 * Maps each lane to the condition for its pending deliveries. The SQL must be the same as in migration 0007, so that the database uses the
 * partial index.
 */
export const PENDING = {
  first: sql<boolean>`state = 'pending' and attempts = 0`,
  repeat: sql<boolean>`state = 'pending' and attempts > 0`,
} as const satisfies Record<Lane, unknown>;

export interface ClockReading {
  /** Kit time, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Wall time, in milliseconds since the Unix epoch. */
  readonly wall: number;
}

/** The maximum number of due deliveries that `findDueOwners` reads. */
const MAX_DUE_READ = 512;
/** The maximum number of subscriptions per lane that `findDueOwners` examines if at least `MAX_DUE_READ` deliveries are due. */
export const MAX_SUBSCRIPTIONS_EXAMINED = 256;

/** The condition for deliveries without a valid claim. */
export const isUnclaimed = (wall: number) => sql<boolean>`(claimed_until is null or claimed_until <= ${wall})`;

/** Counts each owner's due deliveries among the first `MAX_DUE_READ` due deliveries. */
const dueCounts = prepareQuery((db, { now, wall }: ClockReading) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('deliveries')
        .select(['subscription_id', sql<boolean>`attempts > 0`.as('repeats')])
        .where('state', '=', sql.lit('pending'))
        .where('due_at', '<=', now)
        .where(isUnclaimed(wall))
        .orderBy('due_at')
        .limit(sql.lit(MAX_DUE_READ))
        .as('soonest'),
    )
    .select((eb) => ['subscription_id', 'repeats', eb.fn.countAll().as('count')])
    .groupBy(['subscription_id', 'repeats']),
);

/** Maps each lane to the last examined subscription, or to '' if the next search begins with the first subscription. */
export type SearchPosition = Readonly<Record<Lane, string>>;
export const SEARCH_START: SearchPosition = { first: '', repeat: '' };

/**
 * Finds owners with due deliveries. A delivery is due if the kit time `due_at` has been reached and the delivery has no claim, or only an
 * expired claim. Usually few deliveries are due, and the function reads all of them. If at least `MAX_DUE_READ` deliveries are due, for
 * example because an endpoint is unreachable, the function examines one subscription after another, at most `MAX_SUBSCRIPTIONS_EXAMINED`
 * per call.
 * @param after the position that the previous call returned
 * @returns the owners, and the position with which the next call continues
 */
export async function findDueOwners(
  db: Executor,
  moment: ClockReading,
  after: SearchPosition,
): Promise<{ readonly owners: readonly DueOwner[]; readonly position: SearchPosition }> {
  const counts = await dueCounts(db, moment);
  const read = counts.reduce((total, { count }) => total + Number(count), 0);
  if (read < MAX_DUE_READ) {
    const owners = counts.map(
      ({ subscription_id, repeats, count }): DueOwner => ({
        subscriptionId: subscription_id,
        lane: repeats ? 'repeat' : 'first',
        due: Number(count),
      }),
    );
    return { owners, position: SEARCH_START };
  }
  const [first, repeat] = [
    await examineSubscriptions(db, 'first', moment, after.first),
    await examineSubscriptions(db, 'repeat', moment, after.repeat),
  ];
  return { owners: [...first.owners, ...repeat.owners], position: { first: first.position, repeat: repeat.position } };
}

/**
 * Examines a lane's pending deliveries one subscription after another, because reading all deliveries would be slow. The query does not use
 * `exists`, because PostgreSQL would rewrite `exists` as a join over all pending deliveries.
 */
export async function examineSubscriptions(
  db: Executor,
  lane: Lane,
  { now, wall }: ClockReading,
  after: string,
): Promise<{ readonly owners: readonly DueOwner[]; readonly position: string }> {
  const { rows } = await sql<{ id: string; due: number | null }>`
    with recursive waiting (id, number) as (
      select min(subscription_id), 1 from deliveries where ${PENDING[lane]} and subscription_id > ${after}
      union all
      select (select min(subscription_id) from deliveries where ${PENDING[lane]} and subscription_id > waiting.id), number + 1
      from waiting where waiting.id is not null and number < ${sql.lit(MAX_SUBSCRIPTIONS_EXAMINED)}
    )
    select id, (
      select 1 from deliveries where ${PENDING[lane]} and subscription_id = waiting.id and due_at <= ${now} and ${isUnclaimed(wall)} limit 1
    ) as due from waiting where id is not null`.execute(db);
  const owners = rows.flatMap(({ id, due }): DueOwner[] =>
    due === null ? [] : [{ subscriptionId: id, lane, due: Number.POSITIVE_INFINITY }],
  );
  return { owners, position: rows.length === MAX_SUBSCRIPTIONS_EXAMINED ? rows.at(-1)!.id : '' };
}

/** Finds the kit time at which the next unclaimed delivery is due. */
export const nextDue = prepareQuery((db, p: { wall: number }) =>
  db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.min('due_at').as('due'))
    .where('state', '=', sql.lit('pending'))
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', p.wall)])),
);

const selectPending = (db: Pick<Executor, 'selectFrom'>) => db.selectFrom('deliveries').where('state', '=', sql.lit('pending'));
const selectDueAfter = (db: Pick<Executor, 'selectFrom'>, now: number) =>
  selectPending(db)
    .where('due_at', '>', now)
    .select((eb) => eb.fn.min('due_at').as('due'));

/** Finds the kit time after `now` at which the next delivery is due. */
export const nextDueAfter = prepareQuery((db, { now }: Pick<ClockReading, 'now'>) => selectDueAfter(db, now));

/**
 * Finds the kit time after `now` at which the next delivery is due, and the wall time at which the next claim on a due delivery expires.
 * For this purpose, reads all due deliveries.
 */
export const nextDueOrExpiry = prepareQuery((db, { now, wall }: ClockReading) =>
  db.selectNoFrom((eb) => [
    selectDueAfter(eb, now).as('due'),
    selectPending(eb)
      .where('due_at', '<=', now)
      .where('claimed_until', '>', wall)
      .select((of) => of.fn.min('claimed_until').as('expiry'))
      .as('expiry'),
  ]),
);

/** The maximum number of deliveries that `dueDeliveries` counts. */
export const MAX_DUE_COUNTED = 10_000;

/** Counts the due deliveries, claimed or not, and finds the kit time at which the first delivery became due. */
export const dueDeliveries = prepareQuery((db, { now }: Pick<ClockReading, 'now'>) =>
  db
    .selectFrom(selectPending(db).select('due_at').where('due_at', '<=', now).orderBy('due_at').limit(sql.lit(MAX_DUE_COUNTED)).as('due'))
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.min('due_at').as('oldest')]),
);
