import type pg from 'pg';
import { countSlots, SECOND, type Window } from '../../domain/rate.ts';
import type { RateParameters, SharedRateLimits } from '../engine.ts';
import type { PostgresPipeline } from './driver.ts';

const IDLE_CREDENTIAL_MS = 60_000;

const createSequentialSlotsSql = (limit: number) => `greatest(t, free_at[cardinality(free_at)]) + k * ${SECOND / limit}`;
/** SQL for the time at which the statement's `k`th slot becomes free, as in `domain/rate.ts`. */
const FREE_AT_SQL: Record<Window, (limit: number) => string> = {
  sliding: () => `t + ${SECOND}`,
  fixed: () => `(floor(t / ${SECOND}) + 1) * ${SECOND}`,
  bucket: createSequentialSlotsSql,
  'small-bucket': createSequentialSlotsSql,
};

/**
 * SQL that takes slots for each credential of `$2`, at most the number in `$4`. A new row only stores that number in `passed`, and the
 * statement must be repeated. It locks a row before it reads the clock, so that the times in `free_at` are in order. It locks the rows in
 * the order of the credentials, because replicas could deadlock otherwise. `width_bucket` counts the times that are not later than `t`.
 */
const createTakeSlotsSql = ({ window, limit }: RateParameters) => `
  insert into rate_windows as w (load, credential, at, free_at, passed, used_at)
  select $1, credential, 0, '{}', wanted, now() from unnest($2::text[], $4::int[]) as request(credential, wanted) order by credential
  on conflict (load, credential) do update set (at, free_at, passed, used_at) = (
    select t, free_at || array(select ${FREE_AT_SQL[window](limit)} from generate_series(1, n) k), n, wall
    from (select wall, greatest(w.at, extract(epoch from wall)::float8 * 1000 + $3) as t from (select clock_timestamp() as wall) as clock) as moment,
      lateral (select w.free_at[width_bucket(t, w.free_at) + 1 :] as free_at) as taken,
      lateral (select greatest(0, least(excluded.passed, ${countSlots(limit, window)} - cardinality(free_at))) as n) as count)
  returning credential, at, passed, free_at[cardinality(free_at) - ${countSlots(limit, window)} + 1] - at as wait`;

interface TakenSlots extends pg.QueryResultRow {
  readonly credential: string;
  /** 0 if the statement has only created the row. */
  readonly at: number;
  readonly passed: number;
  /** Milliseconds until the next slot is free; null if one is free now. */
  readonly wait: number | null;
}

interface JoinableStatement {
  /** The number of requests with each credential. */
  readonly counts: Map<string, number>;
  readonly taken: Promise<ReadonlyMap<string, TakenSlots>>;
}

/**
 * Replicas share these rate limits, so times come from the database server's clock. Requests whose statement is not sent yet share one
 * statement.
 */
export function createSharedRates(execute: PostgresPipeline['execute']) {
  const joinable = new Map<string, JoinableStatement>();
  let removal: NodeJS.Timeout | undefined;
  let isUsed = false;

  function addStatement(parameters: RateParameters, key: string): JoinableStatement {
    const counts = new Map<string, number>();
    const close = () => {
      joinable.delete(key);
      return counts;
    };
    const statement = { counts, taken: takeSlots(parameters, close) };
    joinable.set(key, statement);
    return statement;
  }

  /** @param getCounts returns the number of requests with each credential; called when the statement is sent */
  async function takeSlots(
    parameters: RateParameters,
    getCounts: () => ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, TakenSlots>> {
    const { rows } = await execute<TakenSlots>(() => {
      const counts = getCounts();
      const { load, offset, window, limit } = parameters;
      const values = [load, [...counts.keys()], offset, [...counts.values()]];
      // With a name, PostgreSQL plans the statement only once.
      return { name: `take-${window}-${limit}`, text: createTakeSlotsSql(parameters), values };
    });
    const isNew = ({ at }: TakenSlots) => at === 0;
    const taken = new Map(rows.filter((row) => !isNew(row)).map((row) => [row.credential, row]));
    if (taken.size === rows.length) return taken;
    const wanted = new Map(rows.filter(isNew).map(({ credential, passed }) => [credential, passed]));
    return new Map([...taken, ...(await takeSlots(parameters, () => wanted))]);
  }

  function scheduleRemoval(): void {
    isUsed = true;
    removal ??= setTimeout(async () => {
      isUsed = false;
      await removeIdle().catch(() => {});
      removal = undefined;
      if (isUsed) scheduleRemoval();
    }, 2 * IDLE_CREDENTIAL_MS).unref();
  }

  // Skips locked rows, because waiting for them in another order could deadlock.
  const removeIdle = (idleMs = IDLE_CREDENTIAL_MS) =>
    execute(() => ({
      text: `delete from rate_windows where ctid in (select ctid from rate_windows
        where used_at < clock_timestamp() - $1 * interval '1 millisecond' for update skip locked)`,
      values: [idleMs],
    }));

  return {
    async take(credential, parameters) {
      scheduleRemoval();
      const { load, offset, limit, window } = parameters;
      const key = [load, offset, limit, window].join();
      const { counts, taken } = joinable.get(key) ?? addStatement(parameters, key);
      const earlierCount = counts.get(credential) ?? 0;
      counts.set(credential, earlierCount + 1);
      const { passed, wait } = (await taken).get(credential)!;
      return earlierCount < passed ? 0 : Math.max(1, Math.ceil(wait ?? 0));
    },
    removeIdle,
    stop: () => clearTimeout(removal),
  } satisfies SharedRateLimits & Record<string, unknown>;
}
