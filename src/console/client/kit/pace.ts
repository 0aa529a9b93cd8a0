const FIRST_PAUSE_MS = 100;

/**
 * Limits how often messages from the kit trigger work, such as loading data. A single message triggers the work immediately. While messages
 * keep arriving, the pause before each run doubles, up to `longestMs`. On a hidden page, the work waits until the page is visible again.
 * @returns `soon` schedules a run, and `stop` cancels all scheduled runs
 */
export function paceWork(work: () => unknown, longestMs = 1000): { readonly soon: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let pauseMs = FIRST_PAUSE_MS;
  let endedAt = -Infinity;
  const start = () => {
    if (!isDue || timer !== undefined || document.hidden) return;
    pauseMs = performance.now() - endedAt > longestMs ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, longestMs);
    timer = setTimeout(run, pauseMs);
  };
  const run = async () => {
    isDue = false;
    await work();
    endedAt = performance.now();
    timer = undefined;
    start();
  };
  document.addEventListener('visibilitychange', start);
  return {
    soon: () => {
      isDue = true;
      start();
    },
    stop: () => {
      document.removeEventListener('visibilitychange', start);
      clearTimeout(timer);
      isDue = false;
    },
  };
}
