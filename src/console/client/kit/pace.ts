const FIRST_PAUSE_MS = 100;

/**
 * Paces work that messages of the kit cause, such as to load data again. A single message causes it at once. While messages keep arriving, the
 * pause before each run doubles up to `longestMs`, so a busy kit is read rarely. A hidden page does nothing until it is visible again.
 * @returns `soon`, which causes one more run, and `stop`, after which nothing runs
 */
export function paced(work: () => unknown, longestMs = 1000): { readonly soon: () => void; readonly stop: () => void } {
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
