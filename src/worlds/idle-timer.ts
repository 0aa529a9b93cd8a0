/** How soon worlds are ended at the earliest, and after an error, in milliseconds. */
const MIN_DELAY_MS = 100;
const ERROR_DELAY_MS = 60_000;

/** Creates the timer for the world that is the next to be unused for too long. */
export function createIdleTimer(endIdleWorlds: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let isStopped = false;

  function handleError(error: unknown): void {
    if (isStopped) return;
    onError(error);
    schedule(ERROR_DELAY_MS);
  }

  /** Has no effect if the timer is due earlier. */
  function schedule(leftMs: number): void {
    const nextAt = performance.now() + leftMs;
    if (isStopped || nextAt >= dueAt) return;
    clearTimeout(timer);
    dueAt = nextAt;
    timer = setTimeout(
      () => {
        dueAt = Number.POSITIVE_INFINITY;
        endIdleWorlds().catch(handleError);
      },
      Math.max(leftMs, MIN_DELAY_MS),
    ).unref();
  }

  return {
    schedule,
    handleError,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
