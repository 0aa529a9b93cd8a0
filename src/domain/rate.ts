/** How requests are counted over time (decision `limits.assignability.window`). */
export type Window = 'sliding' | 'fixed' | 'bucket' | 'small-bucket';

export type RateLimit = ReturnType<typeof createRateLimit>;

export const SECOND = 1000;
const MAX_CREDENTIALS = 10_000;
const SMALL_BUCKET = 10;

/** Returns the number of slots. A request is refused while no slot is free. `store/postgres/rates.ts` implements the same limit in SQL. */
export const countSlots = (limit: number, window: Window): number => (window === 'small-bucket' ? Math.min(limit, SMALL_BUCKET) : limit);

/** Returns the time at which a slot taken at `now` becomes free. @param latest the result for the previously taken slot */
type GetSlotReleaseTime = (now: number, latest: number, limit: number) => number;

/** A bucket frees `limit` slots per second, one after another. */
const getSequentialReleaseTime: GetSlotReleaseTime = (now, latest, limit) => Math.max(now, latest) + SECOND / limit;

const SLOT_RELEASE_TIME_BY_WINDOW: Record<Window, GetSlotReleaseTime> = {
  sliding: (now) => now + SECOND,
  fixed: (now) => (Math.floor(now / SECOND) + 1) * SECOND,
  bucket: getSequentialReleaseTime,
  'small-bucket': getSequentialReleaseTime,
};

/** Limits each credential to `limit` requests per second (Limits). Refused requests do not count. */
export function createRateLimit(limit: number, window: Window) {
  const meters = new Map<string, Meter>();
  return {
    /** Counts a request. Returns the milliseconds to wait, or 0 if the request passes. @param now kit time, in milliseconds */
    take(credential: string, now: number): number {
      let meter = meters.get(credential);
      if (!meter) {
        // Delete the oldest meter, to limit memory. This forgets at most one second of requests.
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
  const getSlotReleaseTime = SLOT_RELEASE_TIME_BY_WINDOW[window];
  // Slots become free in the order in which they were taken.
  const ring = new Float64Array(countSlots(limit, window)).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  let latest = Number.NEGATIVE_INFINITY;
  return (now) => {
    const wait = ring[next]! - now;
    if (wait > 0) return Math.ceil(wait);
    latest = getSlotReleaseTime(now, latest, limit);
    ring[next] = latest;
    next = (next + 1) % ring.length;
    return 0;
  };
}
