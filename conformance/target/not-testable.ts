import { test } from '@playwright/test';

/** Ends the running check as not testable. @param why the capabilities that the target lacks, or a sentence */
export function notTestable(why: string): never {
  test.skip(true, `not-testable: ${why}`);
  throw new Error(why);
}
