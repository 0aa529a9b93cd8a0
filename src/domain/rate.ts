/** How requests are counted over time (decision `limits.assignability.window`). */
export type Window = 'sliding' | 'fixed' | 'bucket' | 'small-bucket';

export type RateLimit = ReturnType<typeof createRateLimit>;

export const SECOND = 1000;
const MAX_CREDENTIALS = 10_000;
const SMALL_BUCKET = 10;

/**
 * Returns a limit's number of slots. Each request that passes takes a slot until a time that depends on the window (`FREE_AT_BY_WINDOW`). A
 * request is refused while no slot is free. `store/postgres/rates.ts` implements the same limit in SQL.
 */
export const countSlots = (limit: number, window: Window): number => (window === 'small-bucket' ? Math.min(limit, SMALL_BUCKET) : limit);

/**
 * Returns the time at which a slot taken at `now` becomes free.
 * @param latest the time at which the most recently taken slot becomes free
 */
type FreeAt = (now: number, latest: number, limit: number) => number;

/** A bucket's slots become free one after another, at a rate of `limit` per second. */
const getSequentialSlotTime: FreeAt = (now, latest, limit) => Math.max(now, latest) + SECOND / limit;

const FREE_AT_BY_WINDOW: Record<Window, FreeAt> = {
  sliding: (now) => now + SECOND,
  fixed: (now) => (Math.floor(now / SECOND) + 1) * SECOND,
  bucket: getSequentialSlotTime,
  'small-bucket': getSequentialSlotTime,
};

/** Creates a rate limit of `limit` requests per second for each credential (Limits). Refused requests are not counted. */
export function createRateLimit(limit: number, window: Window) {
  const meters = new Map<string, Meter>();
  return {
    /**
     * Counts a credential's request.
     * @param now kit time, in milliseconds
     * @returns 0 if the request passes; otherwise the milliseconds until the next request may pass
     */
    take(credential: string, now: number): number {
      let meter = meters.get(credential);
      if (!meter) {
        // The oldest meter is removed to limit memory. A meter counts at most one second of requests.
        if (meters.size >= MAX_CREDENTIALS) meters.delete(meters.keys().next().value as string);
        meter = createMeter(limit, window);
        meters.set(credential, meter);
      }
      return meter(now);
    },
    clear: () => meters.clear(),
  };
}

type Meter = (now: number) => number;

function createMeter(limit: number, window: Window): Meter {
  const freeAt = FREE_AT_BY_WINDOW[window];
  // Slots become free in the order in which they were taken, so the first slot to become free follows the last taken slot in the ring.
  const ring = new Float64Array(countSlots(limit, window)).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  let latest = Number.NEGATIVE_INFINITY;
  return (now) => {
    const wait = ring[next]! - now;
    if (wait > 0) return Math.ceil(wait);
    latest = freeAt(now, latest, limit);
    ring[next] = latest;
    next = (next + 1) % ring.length;
    return 0;
  };
}
