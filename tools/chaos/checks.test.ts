import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit } from '../../src/domain/rate.ts';
import { CHECKS_PER_SECOND, findOverruns, type Passed } from './checks.ts';

function simulateChecks(limits: readonly { take(credential: string, now: number): number }[]): Passed[] {
  const passed: Passed[] = [];
  for (let now = 0, sent = 0; now < 60_000; now += Math.random() * 8) {
    if (limits[sent++ % limits.length]!.take('client', now) > 0) continue;
    passed.push({ sentAt: now - Math.random() * 50, answeredAt: now + Math.random() * 50 });
  }
  return passed;
}
const createLimits = (count: number) => Array.from({ length: count }, () => createRateLimit(CHECKS_PER_SECOND, 'sliding'));

test('if all checks share one rate limit, the accepted checks never exceed it', () => {
  assert.deepEqual(findOverruns(simulateChecks(createLimits(1)), CHECKS_PER_SECOND).overruns, []);
});

test('the limit is exceeded if each replica counts checks separately', () => {
  assert.notEqual(findOverruns(simulateChecks(createLimits(3)), CHECKS_PER_SECOND).overruns.length, 0);
});

test('a burst exceeds the limit only if it has more checks than the limit allows', () => {
  const burst = Array.from({ length: CHECKS_PER_SECOND }, () => ({ sentAt: 0, answeredAt: 400 }));
  assert.deepEqual(findOverruns(burst, CHECKS_PER_SECOND), { overruns: [], most: CHECKS_PER_SECOND });
  assert.notEqual(findOverruns([...burst, { sentAt: 500, answeredAt: 900 }], CHECKS_PER_SECOND).overruns.length, 0);
});
