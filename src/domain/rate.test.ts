import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit, type Window } from './rate.ts';
import { RATE_STEPS, type Step } from './testing/rate-steps.ts';

for (const [window, steps] of Object.entries(RATE_STEPS) as [Window, readonly Step[]][]) {
  test(`the window "${window}" limits each credential to 100 requests a second`, () => {
    const limit = createRateLimit(100, window);
    for (const [at, sent, passed, wait] of steps) {
      const waits = Array.from({ length: sent }, () => limit.take('client', at));
      assert.deepEqual([waits.filter((each) => each === 0).length, waits.at(-1)], [passed, wait], `at ${at}`);
    }
    assert.equal(limit.take('other client', 20_000), 0);
  });
}

test('of more than 10,000 credentials, the limit forgets the oldest, and all when it is cleared', () => {
  const limit = createRateLimit(1, 'sliding');
  const take = (credential: number) => limit.take(String(credential), 0);
  for (let credential = 0; credential < 10_000; credential++) take(credential);
  assert.deepEqual([take(0), take(10_000), take(1), take(0)], [1000, 0, 1000, 0]);
  limit.clear();
  assert.equal(take(10_000), 0);
});
