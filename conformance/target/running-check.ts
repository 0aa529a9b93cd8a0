import { type TestInfo, test } from '@playwright/test';

/** Extends the timeout of the running check by the time that it waits for the target, which the timeout does not include. */
export function allow(ms: number): void {
  const check = runningCheck();
  check?.setTimeout(check.timeout + ms);
}

/** Marks the running check as bounded, for reports: it passes because no event or response arrived in a limited time. */
export function bounded(): void {
  const { annotations } = test.info();
  if (!annotations.some(({ type }) => type === 'bounded')) annotations.push({ type: 'bounded' });
}

/** @returns undefined if no check is running, such as while a worker removes its entities at the end */
function runningCheck(): TestInfo | undefined {
  try {
    return test.info();
  } catch {
    return undefined;
  }
}
