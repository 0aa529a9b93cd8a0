import { test } from '@playwright/test';

/** @param reason a sentence, or the names of the missing capabilities */
export function endAsNotTestable(reason: string): never {
  test.skip(true, `not-testable: ${reason}`);
  throw new Error(reason);
}
