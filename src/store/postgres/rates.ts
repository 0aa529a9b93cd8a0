import type pg from 'pg';
import { countSlots, SECOND, type Window } from '../../domain/rate.ts';
import type { RateParameters, SharedRateLimits } from '../engine.ts';

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
 * SQL that takes at most `$4` slots. It locks the row before it reads the clock, so that the times in `free_at` are in order. `width_bucket`
 * counts the times that are not later than `t`.
 */
const createTakeSlotsSql = ({ window, limit }: RateParameters) => `
  insert into rate_windows as w (load, credential, at, free_at, passed, used_at) values ($1, $2, 0, '{}', 0, now())
  on conflict (load, credential) do update set (at, free_at, passed, used_at) = (
    select t, free_at || array(select ${FREE_AT_SQL[window](limit)} from generate_series(1, n) k), n, wall
    from (select wall, greatest(w.at, extract(epoch from wall)::float8 * 1000 + $3) as t from (select clock_timestamp() as wall) as clock) as moment,
      lateral (select w.free_at[width_bucket(t, w.free_at) + 1 :] as free_at) as taken,
      lateral (select greatest(0, least($4, ${countSlots(limit, window)} - cardinality(free_at))) as n) as count)
  returning at, passed, free_at[cardinality(free_at) - ${countSlots(limit, window)} + 1] - at as wait`;

interface TakenSlots {
  readonly at: number;
  readonly passed: number;
  /** Milliseconds until the next slot is free; null if one is free now. */
  readonly wait: number | null;
}

interface WaitingRequest extends Pick<PromiseWithResolvers<number>, 'resolve' | 'reject'> {
  readonly parameters: RateParameters;
}

/**
 * Replicas share these rate limits, so times come from the database server's clock. While a statement runs, new requests with the same
 * credential wait, and then share one statement.
 */
export function createSharedRates(connect: () => Promise<pg.PoolClient>) {
  const waiting = new Map<string, WaitingRequest[]>();
  let removal: NodeJS.Timeout | undefined;
  let isUsed = false;

  async function query<R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<R[]> {
    const client = await connect();
    try {
      return (await client.query<R>(config)).rows;
    } finally {
      client.release();
    }
  }

  async function takeRateSlots(requestCount: number, credential: string, parameters: RateParameters): Promise<TakenSlots> {
    const values = [parameters.load, credential, parameters.offset, requestCount];
    // PostgreSQL plans a named statement only once per connection. Planning takes longer than execution.
    const statement = { name: `take-${parameters.window}-${parameters.limit}`, text: createTakeSlotsSql(parameters), values };
    for (;;) {
      const [row] = await query<TakenSlots & pg.QueryResultRow>(statement);
      if (row!.at > 0) return row!;
    }
  }

  async function runStatements(credential: string, key: string, first: WaitingRequest): Promise<void> {
    for (let requests = [first]; requests.length > 0; requests = waiting.get(key)!) {
      waiting.set(key, []);
      try {
        const { passed, wait } = await takeRateSlots(requests.length, credential, requests.at(-1)!.parameters);
        for (const [index, { resolve }] of requests.entries()) resolve(index < passed ? 0 : Math.max(1, Math.ceil(wait ?? 0)));
      } catch (error) {
        for (const { reject } of requests) reject(error);
      }
    }
    waiting.delete(key);
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

  const removeIdle = (idleMs = IDLE_CREDENTIAL_MS) =>
    query({ text: `delete from rate_windows where used_at < clock_timestamp() - $1 * interval '1 millisecond'`, values: [idleMs] });

  return {
    take(credential, parameters) {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const key = `${parameters.load} ${credential}`;
      const requests = waiting.get(key);
      if (requests) requests.push({ resolve, reject, parameters });
      else void runStatements(credential, key, { resolve, reject, parameters });
      scheduleRemoval();
      return promise;
    },
    removeIdle,
    stop: () => clearTimeout(removal),
  } satisfies SharedRateLimits & Record<string, unknown>;
}
