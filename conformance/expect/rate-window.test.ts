import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit, type Window } from '../../src/domain/rate.ts';
import { MOMENTS, windowOf } from './rate-window.ts';

/** How many checks of each moment pass. @param start when the first check is sent @param shares the used share of each moment's `within` */
function passedOf(window: Window, start: number, shares: readonly number[]): number[] {
  const limit = createRateLimit(100, window);
  return MOMENTS.map(({ at, count, within }, moment) => {
    const spread = within * shares[moment]!;
    const waits = Array.from({ length: count }, (_, index) => limit.take('a', start + at + Math.floor((index * spread) / count)));
    return waits.filter((wait) => wait === 0).length;
  });
}

/** Every combination in which each moment uses none, half or all of its `within`. */
const PACES = [0, 0.5, 1].flatMap((a) => [0, 0.5, 1].flatMap((b) => [0, 0.5, 1].flatMap((c) => [0, 0.5, 1].map((d) => [a, b, c, d]))));

for (const window of ['sliding', 'fixed', 'bucket', 'small-bucket'] as const) {
  test(`a ${window} limit is recognized whenever the first check is sent, and however fast the checks follow`, () => {
    for (const shares of PACES) {
      for (let start = 5000; start < 6000; start += 10) {
        const passed = passedOf(window, start, shares);
        assert.equal(windowOf(passed), window, `${passed}, begun ${start - 5000} ms into a second, at the pace ${shares}`);
      }
    }
  });
}

test('no window is recognized if nothing is limited, or if earlier checks have used up the limit', () => {
  assert.equal(windowOf(MOMENTS.map(({ count }) => count)), undefined);
  assert.equal(windowOf([0, 0, 0, 0]), undefined);
  assert.equal(windowOf([60, 40, 0, 0]), undefined);
});
