import { test } from '@playwright/test';

/** Ends the running check as not testable. @param why what the target does not have, or did not show. */
export function notTestable(why: string): never {
  test.skip(true, `not-testable: ${why}`);
  throw new Error(why);
}
