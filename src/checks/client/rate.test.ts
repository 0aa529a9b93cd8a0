import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleOutcome } from '../outcome.ts';
import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { judgeCalls } from './judge.ts';

interface Check extends Partial<Pick<Call, 'durationMs' | 'step' | 'connection'>> {
  readonly atMs: number;
  readonly of?: number;
  readonly status?: 200 | 429;
}

/** Returns the verdict on a client that sends these assignability checks, each of which takes 5 ms by default. */
const judgeChecks = (checks: readonly Check[], rule?: ClientRuleId): string | undefined => judgeRule(checks, rule)?.verdict;

function judgeRule(checks: readonly Check[], rule: ClientRuleId = 'limits.assignability.back-off'): RuleOutcome | undefined {
  const calls = checks.map(
    ({ atMs, of = 0, status = 200, ...others }, index): Call => ({
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
      ...others,
    }),
  );
  return judgeCalls(calls, { missed: 0, complete: true }).find((outcome) => outcome.rule === rule);
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

test('the reason of a back-off rule that is not exercised names the measured pauses, and the pauses that would be decisive', () => {
  const { reason = '' } = judgeRule([{ atMs: 0 }, { atMs: 155, of: 1, status: 429 }, { atMs: 280, of: 1 }]) ?? {};
  assert.match(reason, /again after 120 ms, and its other pauses .* up to 150 ms\. .* less than 20 ms breaks .* at least 300 ms obeys/);
});

test('one long pause of a busy machine does not count as waiting', () => {
  const pauses = [30, 40, 150, 30];
  const before = pauses.map((_, of) => ({ atMs: pauses.slice(0, of).reduce((sum, pause) => sum + pause + 5, 0), of }));
  const refusedAt = before.at(-1)!.atMs + 35;
  const judge = (pauseMs: number) =>
    judgeChecks([...before, { atMs: refusedAt, of: 9, status: 429 }, { atMs: refusedAt + 5 + pauseMs, of: 9 }]);
  assert.deepEqual([judge(210), judge(310)], ['not-exercised', 'passed']);
});

test('a repetition on another connection counts if the kit held the 429 back, and otherwise a later equal request does not count as waiting', () => {
  const later = { atMs: 3000, connection: { number: 1, ageMs: 9000 } };
  const judge = (refused: Partial<Check>, ...others: Check[]) => {
    const end = refused.durationMs ?? 5;
    const again = { atMs: end + 4, connection: { number: 2, ageMs: 9000 } };
    return judgeChecks([{ atMs: 0, status: 429, connection: { number: 1, ageMs: 9000 }, ...refused }, ...others, again, later]);
  };
  assert.equal(judge({}), 'not-exercised');
  assert.equal(judge({ durationMs: 101, step: 'fault' }), 'failed');
  // The client sends equal requests in parallel, and repeats the refused one later.
  const parallel = { atMs: 60, connection: { number: 2, ageMs: 9000 } };
  assert.equal(judge({ durationMs: 101, step: 'fault' }, parallel), 'passed');
});

test('on a busy machine, a repetition that is not slower than the other requests is immediate', () => {
  const judge = (pauseMs: number) => {
    const before = Array.from({ length: 5 }, (_, of) => ({ atMs: of * 20, of }));
    const refused = { atMs: 100, of: 9, status: 429, durationMs: 101, step: 'fault' } as const;
    return judgeChecks([...before, refused, { atMs: 201 + pauseMs, of: 9 }]);
  };
  assert.deepEqual([judge(35), judge(100)], ['failed', 'not-exercised']);
});

test('a busy machine that delivers 100 checks per second a little unevenly does not break the limit, and 101 checks at once break it', () => {
  const rule = 'limits.assignability.stays-under';
  const judge = (count: number, gapMs: number, firstMs: number) =>
    judgeChecks(
      Array.from({ length: count }, (_, of) => ({ atMs: Math.max(firstMs, of * gapMs), of })),
      rule,
    );
  assert.deepEqual([judge(300, 10, 90), judge(101, 0, 0), judge(101, 8, 0)], ['passed', 'failed', 'failed']);
});
