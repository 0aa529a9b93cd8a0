import { test } from '@playwright/test';

/** Ends the check that is running as not testable. @param why what the target has not, or did not show. */
export function notTestable(why: string): never {
  test.skip(true, `not-testable: ${why}`);
  throw new Error(why);
}
