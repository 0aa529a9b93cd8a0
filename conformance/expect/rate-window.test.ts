import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit, type Window } from '../../src/domain/rate.ts';
import { MOMENTS, windowOf } from './rate-window.ts';

/** What passes where the first check is sent at that time, and each moment takes that share of the time that it may take. */
function passedOf(window: Window, start: number, shares: readonly number[]): number[] {
  const limit = createRateLimit(100, window);
  return MOMENTS.map(({ at, count, within }, moment) => {
    const spread = within * shares[moment]!;
    const waits = Array.from({ length: count }, (_, index) => limit.take('a', start + at + Math.floor((index * spread) / count)));
    return waits.filter((wait) => wait === 0).length;
  });
}

/** Each moment at once, in the half of its time, or in all of it. */
const PACES = [0, 0.5, 1].flatMap((a) => [0, 0.5, 1].flatMap((b) => [0, 0.5, 1].flatMap((c) => [0, 0.5, 1].map((d) => [a, b, c, d]))));

for (const window of ['sliding', 'fixed', 'bucket'] as const) {
  test(`a second measured so is told from others, whenever it begins and however quick the machine is: ${window}`, () => {
    for (const shares of PACES) {
      for (let start = 5000; start < 6000; start += 10) {
        const passed = passedOf(window, start, shares);
        assert.equal(windowOf(passed), window, `${passed}, begun ${start - 5000} ms into a second, at the pace ${shares}`);
      }
    }
  });
}

test('of a server without a limit nothing is told, nor of one whose limit is used up before', () => {
  assert.equal(windowOf(MOMENTS.map(({ count }) => count)), undefined);
  assert.equal(windowOf([0, 0, 0, 0]), undefined);
  assert.equal(windowOf([60, 40, 0, 0]), undefined);
});
