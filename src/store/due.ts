import { sql } from 'kysely';
import type { Executor } from './engine.ts';
import { prepareQuery } from './prepared.ts';

/** First attempts and repeats are claimed separately, so that repeats do not delay new events. */
export type Lane = 'first' | 'repeat';

/** A claim contains either the first attempts or the repeated attempts of one subscription. */
export interface Owner {
  readonly subscriptionId: string;
  readonly lane: Lane;
}

interface DueOwner extends Owner {
  /** The number of due deliveries; Infinity if they were not counted. */
  readonly due: number;
}

/** The SQL must be the same as in the indexes (migrations.ts), so that the indexes are used. */
export const PENDING = {
  first: sql<boolean>`state = 'pending' and attempts = 0`,
  repeat: sql<boolean>`state = 'pending' and attempts > 0`,
} as const satisfies Record<Lane, unknown>;

export interface ClockReading {
  /** Kit time, in milliseconds. */
  readonly now: number;
  /** Wall time, in milliseconds. */
  readonly wallClockMs: number;
}

const MAX_DUE_READ = 512;
const MAX_SUBSCRIPTIONS_EXAMINED = 256;

export const createUnclaimedCondition = (wallClockMs: number) => sql<boolean>`(claimed_until is null or claimed_until <= ${wallClockMs})`;

const dueCounts = prepareQuery((db, { now, wallClockMs }: ClockReading) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('deliveries')
        .select(['subscription_id', sql<boolean>`attempts > 0`.as('repeats')])
        .where('state', '=', sql.lit('pending'))
        .where('due_at', '<=', now)
        .where(createUnclaimedCondition(wallClockMs))
        .orderBy('due_at')
        .limit(sql.lit(MAX_DUE_READ))
        .as('soonest'),
    )
    .select((eb) => ['subscription_id', 'repeats', eb.fn.countAll().as('count')])
    .groupBy(['subscription_id', 'repeats']),
);

/** The id of the last examined subscription in each lane; '' to start from the beginning. */
type SearchPosition = Readonly<Record<Lane, string>>;
export const SEARCH_START: SearchPosition = { first: '', repeat: '' };

/**
 * Finds subscriptions with due deliveries. If many deliveries are due, each call examines only some subscriptions, and the next call
 * continues after them.
 * @param afterPosition `SEARCH_START`, or the position that the previous call returned
 */
export async function findDueOwners(
  db: Executor,
  moment: ClockReading,
  afterPosition: SearchPosition,
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
    await findDueOwnersInLane(db, 'first', moment, afterPosition.first),
    await findDueOwnersInLane(db, 'repeat', moment, afterPosition.repeat),
  ];
  return { owners: [...first.owners, ...repeat.owners], position: { first: first.position, repeat: repeat.position } };
}

/** Examines subscriptions one by one, because a query with `exists` would read all pending deliveries on PostgreSQL. */
export async function findDueOwnersInLane(
  db: Executor,
  lane: Lane,
  { now, wallClockMs }: ClockReading,
  afterSubscriptionId: string,
): Promise<{ readonly owners: readonly DueOwner[]; readonly position: string }> {
  const { rows } = await sql<{ id: string; due: number | null }>`
    with recursive waiting (id, number) as (
      select min(subscription_id), 1 from deliveries where ${PENDING[lane]} and subscription_id > ${afterSubscriptionId}
      union all
      select (select min(subscription_id) from deliveries where ${PENDING[lane]} and subscription_id > waiting.id), number + 1
      from waiting where waiting.id is not null and number < ${sql.lit(MAX_SUBSCRIPTIONS_EXAMINED)}
    )
    select id, (
      select 1 from deliveries where ${PENDING[lane]} and subscription_id = waiting.id and due_at <= ${now} and ${createUnclaimedCondition(wallClockMs)} limit 1
    ) as due from waiting where id is not null`.execute(db);
  const owners = rows.flatMap(({ id, due }): DueOwner[] =>
    due === null ? [] : [{ subscriptionId: id, lane, due: Number.POSITIVE_INFINITY }],
  );
  return { owners, position: rows.length === MAX_SUBSCRIPTIONS_EXAMINED ? rows.at(-1)!.id : '' };
}

export const nextDue = prepareQuery((db, p: { wallClockMs: number }) =>
  db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.min('due_at').as('due'))
    .where('state', '=', sql.lit('pending'))
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', p.wallClockMs)])),
);

const selectPending = (db: Pick<Executor, 'selectFrom'>) => db.selectFrom('deliveries').where('state', '=', sql.lit('pending'));
const selectDueAfter = (db: Pick<Executor, 'selectFrom'>, now: number) =>
  selectPending(db)
    .where('due_at', '>', now)
    .select((eb) => eb.fn.min('due_at').as('due'));

export const nextDueAfter = prepareQuery((db, { now }: Pick<ClockReading, 'now'>) => selectDueAfter(db, now));

/** Finds the kit time at which the next delivery is due, and the wall time at which the next claim of a due delivery expires. */
export const nextDueOrExpiry = prepareQuery((db, { now, wallClockMs }: ClockReading) =>
  db.selectNoFrom((eb) => [
    selectDueAfter(eb, now).as('due'),
    selectPending(eb)
      .where('due_at', '<=', now)
      .where('claimed_until', '>', wallClockMs)
      .select((of) => of.fn.min('claimed_until').as('expiry'))
      .as('expiry'),
  ]),
);

export const MAX_DUE_COUNTED = 10_000;

export const dueDeliveries = prepareQuery((db, { now }: Pick<ClockReading, 'now'>) =>
  db
    .selectFrom(selectPending(db).select('due_at').where('due_at', '<=', now).orderBy('due_at').limit(sql.lit(MAX_DUE_COUNTED)).as('due'))
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.min('due_at').as('oldest')]),
);
