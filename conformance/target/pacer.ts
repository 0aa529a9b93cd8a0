/**
 * Spreads calls evenly over time.
 * @param now a clock in milliseconds
 * @returns a function that waits for the next call's time
 */
export function createPacer(
  perSecond: number,
  now: () => number,
  sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): () => Promise<void> {
  const interval = 1000 / perSecond;
  let next = 0;
  return async () => {
    const at = Math.max(now(), next);
    next = at + interval;
    if (at > now()) await sleep(at - now());
  };
}
