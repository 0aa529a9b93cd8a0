export type Alarm = ReturnType<typeof createAlarm>;

/**
 * Lets a loop rest until it is woken or a time has passed. Times are in milliseconds of wall time.
 * @param minMs the minimum time between two starts of the loop that `wakeSoon` causes, so that one run serves many callers
 */
export function createAlarm(minMs: number) {
  let startedAt = 0;
  let isWoken = false;
  let endRest = () => {};
  let soon: NodeJS.Timeout | undefined;

  function wake(): void {
    isWoken = true;
    endRest();
  }

  return {
    /** Call this function at the start of each run of the loop. A later call of `wake` prevents the next rest. */
    start(): void {
      isWoken = false;
      startedAt = performance.now();
    },
    /** Ends the rest, or prevents the next rest. */
    wake,
    /** Like `wake`, but the next run starts at least `minMs` after the start of the previous run. */
    wakeSoon(): void {
      const left = startedAt + minMs - performance.now();
      if (left <= 0) wake();
      else if (soon === undefined) {
        soon = setTimeout(() => {
          soon = undefined;
          wake();
        }, left);
      }
    },
    /** Resolves after `wake`, or after `ms` if `ms` is given. */
    async rest(ms: number | undefined): Promise<void> {
      if (isWoken) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      endRest = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
