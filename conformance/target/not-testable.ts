import { test } from '@playwright/test';

/** Ends the running check as not testable. @param why the names of the missing capabilities, or a sentence */
export function endAsNotTestable(why: string): never {
  test.skip(true, `not-testable: ${why}`);
  throw new Error(why);
}
