/** The method of counting requests over time (decision `limits.assignability.window`). */
export type Window = 'sliding' | 'fixed' | 'bucket' | 'small-bucket';

export type RateLimit = ReturnType<typeof createRateLimit>;

const SECOND = 1000;
const MAX_CREDENTIALS = 10_000;
const SMALL_BUCKET = 10;

/** Creates a rate limit of `limit` requests per second for each credential (Limits). Refused requests are not counted. */
export function createRateLimit(limit: number, window: Window) {
  const meters = new Map<string, Meter>();
  return {
    /**
     * Counts a request of a credential.
     * @param now kit time, in milliseconds
     * @returns 0 if the request passes, or otherwise the milliseconds until the next request may pass
     */
    take(credential: string, now: number): number {
      let meter = meters.get(credential);
      if (!meter) {
        // Removing the oldest meter limits memory. The removed meter counted at most one second of requests.
        if (meters.size >= MAX_CREDENTIALS) meters.delete(meters.keys().next().value as string);
        meter = METERS[window](limit);
        meters.set(credential, meter);
      }
      return meter(now);
    },
    clear: () => meters.clear(),
  };
}

type Meter = (now: number) => number;

const METERS: Record<Window, (limit: number) => Meter> = {
  sliding(limit) {
    const ring = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
    let oldest = 0;
    return (now) => {
      const wait = ring[oldest]! + SECOND - now;
      if (wait > 0) return wait;
      ring[oldest] = now;
      oldest = (oldest + 1) % limit;
      return 0;
    };
  },
  fixed(limit) {
    let second = -1;
    let used = 0;
    return (now) => {
      const current = Math.floor(now / SECOND);
      if (current !== second) {
        second = current;
        used = 0;
      }
      if (used >= limit) return (second + 1) * SECOND - now;
      used++;
      return 0;
    };
  },
  bucket: (limit) => bucketOf(limit, limit),
  'small-bucket': (limit) => bucketOf(limit, Math.min(limit, SMALL_BUCKET)),
};

/** Creates a token bucket of `size` tokens. Each request takes one token, and `limit` tokens are added evenly in each second. */
function bucketOf(limit: number, size: number): Meter {
  let level = size;
  let at = Number.NEGATIVE_INFINITY;
  return (now) => {
    level = Math.min(size, level + (Math.max(0, now - at) * limit) / SECOND);
    at = now;
    if (level < 1) return Math.ceil(((1 - level) * SECOND) / limit);
    level--;
    return 0;
  };
}
