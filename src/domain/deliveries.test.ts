import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getReorderedTime, getSigningSecret, isAcknowledgement } from './deliveries.ts';

test('only 2xx statuses acknowledge a delivery', () => {
  assert.deepEqual([199, 200, 204, 299, 300, 304, 307, 400, 500].filter(isAcknowledgement), [200, 204, 299]);
});

test("without an own secret, a subscription's secret is derived from its id", () => {
  assert.equal(getSigningSecret({ id: 'all', secret: 'whsec_own' }), 'whsec_own');
  for (const secret of [null, undefined])
    assert.equal(getSigningSecret({ id: 'all', secret }), 'whsec_a9+kgSI+/3C6ou3c30+hb6Boas4EpkmKiSSnQnY7OV0=');
});

const FIRST = { window: 7, seed: 1, ordinal: 0, openedAt: 1000 };
const LATER = { ...FIRST, ordinal: 1 };

test('the first delivery, and each after the first half of a window, opens a new window', () => {
  const opensWindow = (now: number, reordering: typeof FIRST) => getReorderedTime(now, reordering).opensWindow;
  assert.equal(opensWindow(1000, FIRST), true);
  assert.deepEqual(
    [999, 1000, 1002, 1003, 1009].map((now) => opensWindow(now, LATER)),
    [true, false, false, true, true],
  );
});

test('deliveries are due at any time in the second half of their window, and the same seed gives the same times', () => {
  const listTimes = (now: number, seed = 1) =>
    Array.from({ length: 100 }, (_, index) => getReorderedTime(now, { ...LATER, seed, ordinal: index + 1 }).dueAt);
  assert.deepEqual(new Set(listTimes(1002)), new Set([1003, 1004, 1005, 1006]));
  assert.deepEqual(new Set(listTimes(2000)), new Set([2003, 2004, 2005, 2006]));
  assert.deepEqual(listTimes(1002), listTimes(1002));
  assert.notDeepEqual(listTimes(1002), listTimes(1002, 2));
});
