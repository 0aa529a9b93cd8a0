const FIRST_PAUSE_MS = 100;

/**
 * Pauses before each run of `work`: longer if runs are frequent, but at most `longestMs` milliseconds. On a hidden page, runs wait until
 * the page is visible.
 * @returns `soon` schedules a run, and `stop` cancels it
 */
export function paceWork(work: () => unknown, longestMs = 1000): { readonly soon: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let pauseMs = FIRST_PAUSE_MS;
  let endedAt = -Infinity;
  const startTimer = () => {
    if (!isDue || timer !== undefined || document.hidden) return;
    pauseMs = performance.now() - endedAt > longestMs ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, longestMs);
    timer = setTimeout(runWork, pauseMs);
  };
  const runWork = async () => {
    isDue = false;
    await work();
    endedAt = performance.now();
    timer = undefined;
    startTimer();
  };
  document.addEventListener('visibilitychange', startTimer);
  return {
    soon: () => {
      isDue = true;
      startTimer();
    },
    stop: () => {
      document.removeEventListener('visibilitychange', startTimer);
      clearTimeout(timer);
      isDue = false;
    },
  };
}
