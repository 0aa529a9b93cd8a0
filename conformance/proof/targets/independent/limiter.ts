/** Returns a function that takes one request out of a key's token bucket. It returns false if the bucket is empty. */
export function createLimiter(capacity: number, perSecond: number): (key: string) => boolean {
  const buckets = new Map<string, { level: number; at: number }>();
  return (key) => {
    const at = performance.now();
    const bucket = buckets.get(key) ?? { level: capacity, at };
    const level = Math.min(capacity, bucket.level + ((at - bucket.at) * perSecond) / 1000);
    buckets.set(key, { level: level < 1 ? level : level - 1, at });
    return level >= 1;
  };
}
