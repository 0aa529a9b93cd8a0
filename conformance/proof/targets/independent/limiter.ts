/** Token buckets, one for each key. */
export class Limiter {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #buckets = new Map<string, { level: number; at: number }>();

  constructor(capacity: number, perSecond: number) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
  }

  /** Takes one request out of a key's bucket. Returns false if the bucket is empty. */
  take(key: string): boolean {
    const at = performance.now();
    const bucket = this.#buckets.get(key) ?? { level: this.#capacity, at };
    const level = Math.min(this.#capacity, bucket.level + ((at - bucket.at) * this.#perSecond) / 1000);
    this.#buckets.set(key, { level: level < 1 ? level : level - 1, at });
    return level >= 1;
  }
}
