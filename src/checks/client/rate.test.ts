import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from './call.ts';
import { judgeCalls } from './judge.ts';

interface Check {
  readonly atMs: number;
  readonly of?: number;
  readonly status?: 200 | 429;
}

/** Returns the verdict on a client that sends these assignability checks, of which each needs 5 ms. */
function judgeChecks(checks: readonly Check[]): string | undefined {
  const calls = checks.map(
    ({ atMs, of = 0, status = 200 }, index): Call => ({
      number: index + 1,
      traceId: String(index),
      at: new Date(atMs).toISOString(),
      arrivedMs: atMs,
      durationMs: 5,
      door: 'service',
      method: 'GET',
      path: `/experiences/1/assignability?targetType=PHONE_NUMBER&targetValue=%2B1206555${1000 + of}`,
      operationId: 'getExperienceAssignability',
      status,
      credential: { fingerprint: 'a', clientId: 'web' },
    }),
  );
  return judgeCalls(calls, { missed: 0, complete: true }).find(({ rule }) => rule === 'limits.assignability.back-off')?.verdict;
}

const COUNT = 404;
/** Sends all checks at once. 100 of them succeed in each second. Each of the others is sent again after the pause. */
function sendUntilAllSucceed(getPauseMs: (attempt: number) => number): Check[] {
  const sent: Check[] = [];
  const succeededAt: number[] = [];
  const waiting = Array.from({ length: COUNT }, (_, of) => ({ atMs: of / 4, of, attempt: 0 }));
  for (;;) {
    waiting.sort((first, second) => second.atMs - first.atMs);
    const next = waiting.pop();
    if (next === undefined) return sent;
    const { atMs, of, attempt } = next;
    const isRefused = succeededAt.filter((ms) => atMs - ms < 1000).length >= 100;
    sent.push({ atMs, of, status: isRefused ? 429 : 200 });
    if (isRefused) waiting.push({ atMs: atMs + 5 + getPauseMs(attempt), of, attempt: attempt + 1 });
    else succeededAt.push(atMs);
  }
}

test('a client that repeats hundreds of refused checks at once breaks the rule, even if it needs 60 ms for each because it is busy', () => {
  assert.equal(judgeChecks(sendUntilAllSucceed(() => 60)), 'failed');
});

test('a client that repeats hundreds of refused checks after pauses that grow, but within the same second, neither breaks nor obeys the rule', () => {
  assert.equal(judgeChecks(sendUntilAllSucceed((attempt) => 100 * 2 ** attempt)), 'not-exercised');
});

test('a client that repeats hundreds of refused checks more than a second later obeys the rule', () => {
  assert.equal(judgeChecks(sendUntilAllSucceed(() => 1100)), 'passed');
});

/** Sends checks with a pause of 145 ms, of which one is refused. */
const judgePause = (pauseMs: number) => {
  const refusedAt = 5 * 150;
  const before = Array.from({ length: 5 }, (_, of) => ({ atMs: of * 150, of }));
  return judgeChecks([...before, { atMs: refusedAt, of: 9, status: 429 }, { atMs: refusedAt + 5 + pauseMs, of: 9 }]);
};

test('a pause after a 429 counts as waiting only if it is clearly longer than the usual pause of the client', () => {
  assert.deepEqual([judgePause(145), judgePause(250), judgePause(320)], ['not-exercised', 'not-exercised', 'passed']);
});

test('a pause that may only show that the client is busy is not enough', () => {
  const judgeOnly = (pauseMs: number) => judgeChecks([{ atMs: 0, status: 429 }, { atMs: 5 + pauseMs }]);
  assert.deepEqual([judgeOnly(10), judgeOnly(100), judgeOnly(300)], ['failed', 'not-exercised', 'passed']);
});
