import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit } from '../src/domain/rate.ts';
import { CHECKS_PER_SECOND, findOverruns, type Passed } from './checks.ts';

/** Returns the checks that the limits permit. The limits take turns. Each check is decided at a random time between its two times. */
function passedChecks(limits: readonly { take(credential: string, now: number): number }[]): Passed[] {
  const passed: Passed[] = [];
  for (let now = 0, sent = 0; now < 60_000; now += Math.random() * 8) {
    if (limits[sent++ % limits.length]!.take('client', now) > 0) continue;
    passed.push({ sentAt: now - Math.random() * 50, answeredAt: now + Math.random() * 50 });
  }
  return passed;
}
const createLimits = (count: number) => Array.from({ length: count }, () => createRateLimit(CHECKS_PER_SECOND, 'sliding'));

test('the checks that a single limit permits do not exceed the limit', () => {
  assert.deepEqual(findOverruns(passedChecks(createLimits(1)), CHECKS_PER_SECOND).overruns, []);
});

test('checks that each replica counts separately exceed the limit', () => {
  assert.notEqual(findOverruns(passedChecks(createLimits(3)), CHECKS_PER_SECOND).overruns.length, 0);
});

test('a burst with one check too many exceeds the limit', () => {
  const burst = Array.from({ length: CHECKS_PER_SECOND }, () => ({ sentAt: 0, answeredAt: 400 }));
  assert.deepEqual(findOverruns(burst, CHECKS_PER_SECOND), { overruns: [], most: CHECKS_PER_SECOND });
  assert.notEqual(findOverruns([...burst, { sentAt: 500, answeredAt: 900 }], CHECKS_PER_SECOND).overruns.length, 0);
});
