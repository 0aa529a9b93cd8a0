import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit, type Window } from '../../src/domain/rate.ts';
import { BURSTS, classifyWindow } from './rate-window.ts';

/** @param start the start of the first burst, in milliseconds @param fractions the durations of the bursts, as fractions of `within` */
function countPassed(window: Window, start: number, fractions: readonly number[]): number[] {
  const limit = createRateLimit(100, window);
  return BURSTS.map(({ at, count, within }, burst) => {
    const spread = within * fractions[burst]!;
    const waits = Array.from({ length: count }, (_, index) => limit.take('a', start + at + Math.floor((index * spread) / count)));
    return waits.filter((wait) => wait === 0).length;
  });
}

const COMBINATIONS = [0, 0.5, 1].flatMap((a) =>
  [0, 0.5, 1].flatMap((b) => [0, 0.5, 1].flatMap((c) => [0, 0.5, 1].map((d) => [a, b, c, d]))),
);

for (const window of ['sliding', 'fixed', 'bucket', 'small-bucket'] as const) {
  test(`a ${window} limit is recognized at any start time and burst speed`, () => {
    for (const fractions of COMBINATIONS) {
      for (let start = 5000; start < 6000; start += 10) {
        const passed = countPassed(window, start, fractions);
        assert.equal(classifyWindow(passed), window, `${passed}, started ${start - 5000} ms into a second, at the pace ${fractions}`);
      }
    }
  });
}

test('classifyWindow returns undefined if all checks pass, all checks are refused, or earlier checks used up the limit', () => {
  assert.equal(classifyWindow(BURSTS.map(({ count }) => count)), undefined);
  assert.equal(classifyWindow([0, 0, 0, 0]), undefined);
  assert.equal(classifyWindow([60, 40, 0, 0]), undefined);
});
