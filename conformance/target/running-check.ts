import { type TestInfo, test } from '@playwright/test';

/** Gives the running check more time: its timeout covers what it does, not what it waits for. */
export function allow(ms: number): void {
  const check = runningCheck();
  check?.setTimeout(check.timeout + ms);
}

/** Marks the running check as bounded: it passes because something did not come while it waited. Reports say so. */
export function bounded(): void {
  const { annotations } = test.info();
  if (!annotations.some(({ type }) => type === 'bounded')) annotations.push({ type: 'bounded' });
}

/** Undefined after the last check, when a worker cleans up. */
function runningCheck(): TestInfo | undefined {
  try {
    return test.info();
  } catch {
    return undefined;
  }
}
