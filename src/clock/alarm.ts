/**
 * Lets a loop sleep between its iterations until `wake` is called or a timeout expires, in wall time.
 * @param minMs the minimum time between the starts of two iterations, in milliseconds; `wake` ignores this limit
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
    /** Call this function at the start of each iteration of the loop. */
    start(): void {
      isWoken = false;
      startedAt = performance.now();
    },
    wake,
    /** Like `wake`, but no earlier than `minMs` milliseconds after the last call of `start`. */
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
