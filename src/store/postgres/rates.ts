import type pg from 'pg';
import { countSlots, SECOND, type Window } from '../../domain/rate.ts';
import type { RateParameters, SharedRateLimits } from '../engine.ts';
import type { StatementGroups } from './statement-groups.ts';

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
 * SQL that takes slots for each credential in `$2`, at most the number in `$4`, which the inserted row has in `passed`. If it returns `at`
 * 0, it has only created the credential's row, and must be repeated. It locks a row before it reads the clock, so that the times in `free_at` are in
 * order. It locks the rows in the order of the credentials, because replicas could deadlock otherwise. `width_bucket` counts the times that
 * are not later than `t`.
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
  readonly at: number;
  readonly passed: number;
  /** Milliseconds until the next slot is free; null if one is free now. */
  readonly wait: number | null;
}

interface SharedStatement {
  /** The number of requests with each credential. */
  readonly counts: Map<string, number>;
  readonly taken: Promise<ReadonlyMap<string, TakenSlots>>;
}

/** Replicas share these rate limits, so times come from the database server's clock. Requests share a statement until it is sent. */
export function createSharedRates(execute: StatementGroups['execute']) {
  const waiting = new Map<string, SharedStatement>();
  let removal: NodeJS.Timeout | undefined;
  let isUsed = false;

  function shareStatement(parameters: RateParameters, key: string): SharedStatement {
    const counts = new Map<string, number>();
    const onSend = () => {
      if (waiting.get(key) === statement) waiting.delete(key);
    };
    const statement: SharedStatement = { counts, taken: takeSlots(parameters, counts, onSend) };
    waiting.set(key, statement);
    return statement;
  }

  /** @param onSend called when `counts` is read */
  async function takeSlots(parameters: RateParameters, counts: ReadonlyMap<string, number>, onSend: () => void) {
    const taken = new Map<string, TakenSlots>();
    do {
      const { rows } = await execute<TakenSlots>(() => {
        onSend();
        const missing = [...counts].filter(([credential]) => !taken.has(credential));
        const { load, offset, window, limit } = parameters;
        const values = [load, missing.map(([credential]) => credential), offset, missing.map(([, count]) => count)];
        // With a name, PostgreSQL plans the statement only once per connection. Planning takes longer than execution.
        return { name: `take-${window}-${limit}`, text: createTakeSlotsSql(parameters), values };
      });
      for (const row of rows) if (row.at > 0) taken.set(row.credential, row);
    } while (taken.size < counts.size);
    return taken;
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
      const { counts, taken } = waiting.get(key) ?? shareStatement(parameters, key);
      const earlierCount = counts.get(credential) ?? 0;
      counts.set(credential, earlierCount + 1);
      const { passed, wait } = (await taken).get(credential)!;
      return earlierCount < passed ? 0 : Math.max(1, Math.ceil(wait ?? 0));
    },
    removeIdle,
    stop: () => clearTimeout(removal),
  } satisfies SharedRateLimits & Record<string, unknown>;
}
