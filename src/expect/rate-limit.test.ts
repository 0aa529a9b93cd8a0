import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit, type Window } from '../../src/domain/rate.ts';
import { type TimedCheck, verifyLimit } from './rate-limit.ts';

type CheckPredicate = (now: number) => boolean;

/** Creates a rate limiter whose clock starts `start` milliseconds after the beginning of a calendar second. */
function createGateway(limit: number, window: Window, start = 0): CheckPredicate {
  const rate = createRateLimit(limit, window);
  return (now) => rate.take('credential', start + now) === 0;
}

function createSingleTokenBucket(perSecond: number): CheckPredicate {
  let free = 0;
  return (now) => {
    if (now < free) return false;
    free = Math.max(free, now - 1000 / perSecond) + 1000 / perSecond;
    return true;
  };
}

function simulateLoad(isAccepted: CheckPredicate, seconds: number, pauseMs: readonly [number, number] = [0, 0]): TimedCheck[] {
  return Array.from({ length: 130 * seconds }, (_, index) => (index * 1000) / 130)
    .filter((at) => at < pauseMs[0] || at >= pauseMs[1])
    .map((at) => ({ sentAt: at, answeredAt: at + 5, isPassed: isAccepted(at + 3) }));
}

const START_TIMES_MS = [0, 1, 250, 500, 900, 999];

const createAllWindows = (limit: number): CheckPredicate[] =>
  START_TIMES_MS.flatMap((start) => (['sliding', 'fixed', 'bucket'] as const).map((window) => createGateway(limit, window, start)));

test('a target with a limit of 100 per second passes with every kind of window', () => {
  for (const isAccepted of [...createAllWindows(100), createGateway(100, 'small-bucket'), createSingleTokenBucket(100)])
    assert.deepEqual(verifyLimit(simulateLoad(isAccepted, 14)), { isKept: true });
});

test('a target with a limit of 110 per second fails with every kind of window', () => {
  for (const isPassed of createAllWindows(110)) assert.ok(verifyLimit(simulateLoad(isPassed, 14)).exceeded);
});

test('a load that ends as soon as it shows something shows that a limit of 110 is too high', () => {
  for (const isAccepted of createAllWindows(110)) {
    const all = simulateLoad(isAccepted, 14);
    for (let at = 10_000; ; at += 200) {
      const { isKept, exceeded } = verifyLimit(all.filter(({ answeredAt }) => answeredAt <= at));
      assert.equal(isKept, false, `after ${at} ms`);
      if (exceeded !== undefined) break;
      assert.ok(at < 14_000);
    }
  }
});

test('verifyLimit is inconclusive if the load is too short, or ends too soon after a pause', () => {
  assert.deepEqual(verifyLimit([]), { isKept: false });
  assert.deepEqual(verifyLimit(simulateLoad(createGateway(110, 'sliding'), 8)), { isKept: false });
  assert.deepEqual(verifyLimit(simulateLoad(createGateway(100, 'sliding'), 14, [6000, 8000])), { isKept: false });
  assert.deepEqual(verifyLimit(simulateLoad(createGateway(100, 'sliding'), 19, [1000, 4000])), { isKept: true });
});

test('a load whose checks arrive in bunches does not prove that the limit is enforced', () => {
  const isAccepted = createGateway(110, 'sliding');
  // The requests of every two seconds arrive in two bunches, 0.2 seconds apart.
  const checks = simulateLoad(() => true, 25).map(({ sentAt }) => {
    const [pair, isFirst] = [Math.floor(sentAt / 2000) * 2000, sentAt % 2000 < 1000];
    const arrivedAt = pair + (isFirst ? 1900 : 2100);
    return { sentAt, answeredAt: arrivedAt + 5, isPassed: isAccepted(arrivedAt) };
  });
  assert.deepEqual(verifyLimit(checks), { isKept: false });
});
