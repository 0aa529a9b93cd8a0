import { test } from '@playwright/test';

/**
 * Ends the running check as not testable.
 * @param why the missing capabilities' names, or a sentence
 */
export function endAsNotTestable(why: string): never {
  test.skip(true, `not-testable: ${why}`);
  throw new Error(why);
}
