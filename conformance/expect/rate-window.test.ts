import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit, type Window } from '../../src/domain/rate.ts';
import { BURSTS, windowOf } from './rate-window.ts';

/**
 * The number of passed checks of each burst.
 * @param start when the first burst starts, in milliseconds
 * @param shares the used share of `within` for each burst
 */
function passedOf(window: Window, start: number, shares: readonly number[]): number[] {
  const limit = createRateLimit(100, window);
  return BURSTS.map(({ at, count, within }, burst) => {
    const spread = within * shares[burst]!;
    const waits = Array.from({ length: count }, (_, index) => limit.take('a', start + at + Math.floor((index * spread) / count)));
    return waits.filter((wait) => wait === 0).length;
  });
}

/** Every combination in which each burst uses none, half or all of its `within`. */
const PACES = [0, 0.5, 1].flatMap((a) => [0, 0.5, 1].flatMap((b) => [0, 0.5, 1].flatMap((c) => [0, 0.5, 1].map((d) => [a, b, c, d]))));

for (const window of ['sliding', 'fixed', 'bucket', 'small-bucket'] as const) {
  test(`a ${window} limit is recognized whenever the first burst starts, and however fast its checks are sent`, () => {
    for (const shares of PACES) {
      for (let start = 5000; start < 6000; start += 10) {
        const passed = passedOf(window, start, shares);
        assert.equal(windowOf(passed), window, `${passed}, begun ${start - 5000} ms into a second, at the pace ${shares}`);
      }
    }
  });
}

test('no kind of window is recognized if all or no checks pass, or if earlier checks used up the limit', () => {
  assert.equal(windowOf(BURSTS.map(({ count }) => count)), undefined);
  assert.equal(windowOf([0, 0, 0, 0]), undefined);
  assert.equal(windowOf([60, 40, 0, 0]), undefined);
});
