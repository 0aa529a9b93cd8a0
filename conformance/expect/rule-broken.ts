import { setTimeout as pause } from 'node:timers/promises';
import { RuleBroken } from '../../src/expect/rule-broken.ts';

export function onRuleBroken<Result>(handle: (error: RuleBroken) => Result): (error: unknown) => Result {
  return (error) => {
    if (error instanceof RuleBroken) return handle(error);
    throw error;
  };
}

const RETRY_INTERVAL_MS = 50;

/**
 * @param handleRetry called with each error that a further run may withdraw
 * @throws RuleBroken from the last run
 */
export async function retryUntilPassed<T>(
  ms: number,
  check: () => Promise<T>,
  handleRetry: (error: RuleBroken) => void = () => {},
): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof RuleBroken) || performance.now() + RETRY_INTERVAL_MS > deadline) throw error;
      handleRetry(error);
      await pause(RETRY_INTERVAL_MS);
    }
  }
}
