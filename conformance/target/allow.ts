import { type TestInfo, test } from '@playwright/test';

/** A check has its time for what it does. For waiting, which takes as long as the target is given, the one that is running gets so many milliseconds more. */
export function allow(ms: number): void {
  const running = runningCheck();
  running?.setTimeout(running.timeout + ms);
}

/** What is tidied up after the last check belongs to none. */
function runningCheck(): TestInfo | undefined {
  try {
    return test.info();
  } catch {
    return undefined;
  }
}
