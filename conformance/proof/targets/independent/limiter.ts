interface Bucket {
  level: number;
  at: number;
}

/** Token buckets, one for each key. */
export class Limiter {
  capacity: number;
  perSecond: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(capacity: number, perSecond: number) {
    this.capacity = capacity;
    this.perSecond = perSecond;
  }

  /** Takes one request out of a key's bucket. Returns false if the bucket is empty. */
  take(key: string): boolean {
    const now = performance.now();
    const bucket = this.#buckets.get(key) ?? { level: this.capacity, at: now };
    this.#buckets.set(key, bucket);
    bucket.level = Math.min(this.capacity, bucket.level + ((now - bucket.at) * this.perSecond) / 1000);
    bucket.at = now;
    if (bucket.level < 1) return false;
    bucket.level -= 1;
    return true;
  }

  /** Changes the rate and fills every bucket. */
  reset(capacity: number, perSecond: number): void {
    this.capacity = capacity;
    this.perSecond = perSecond;
    this.#buckets.clear();
  }
}
