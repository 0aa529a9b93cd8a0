import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check, Verdict } from '../contract/generated/results.ts';
import { mergeRuns } from './merge-runs.ts';
import { createRunView } from './run-view.ts';
import { formatTerminalSummary } from './terminal.ts';
import { createFinding, createSmallResults, DOCUMENTED_RULE, hostileFailure, passedFindings } from './testing/small-results.ts';
import { listFailureReasons } from './totals.ts';

const exchange = { ...hostileFailure.failure!.exchange!, status: 201 };
const createRun = (verdict: Verdict, members: Partial<Check> = {}) =>
  createSmallResults([
    ...passedFindings.filter(({ rule, column }) => rule !== DOCUMENTED_RULE || column !== 'flat'),
    createFinding(DOCUMENTED_RULE, 'flat', verdict, members),
  ]);
const passed = createRun('passed', { exchange });
const failed = createRun('failed', hostileFailure);
const findCell = (results: ReturnType<typeof mergeRuns>) => results.rules.find(({ id }) => id === DOCUMENTED_RULE)!.cells.flat!;

test('a rule that failed in only one run is flaky, with the evidence of that run and of a run in which it passed', () => {
  const merged = mergeRuns([passed, failed, passed]);
  assert.deepEqual([merged.runs, merged.durationMs], [3, 3 * passed.durationMs]);
  const { verdict, reason, checks } = findCell(merged);
  assert.deepEqual([verdict, reason], ['flaky', 'Passed in the runs 1 and 3, failed in run 2.']);
  assert.equal(checks[0]?.failure?.message, `${reason}\n${hostileFailure.failure?.message}`);
  assert.deepEqual([checks[0]?.failure?.exchange, checks[0]?.exchange], [hostileFailure.failure?.exchange, exchange]);
});

test('a flaky documented rule makes a run fail, and the terminal shows both verdicts', () => {
  const merged = mergeRuns([passed, failed]);
  assert.deepEqual(listFailureReasons(merged, { strict: false }), ['documented rules are flaky: 1']);
  const text = formatTerminalSummary(createRunView(merged), { colour: false });
  assert.match(text, /Flaky: the runs do not agree\n\n {2}assignments\.list\.filter-required {2}flat\n/);
  assert.match(text, /Passed in run 1, failed in run 2\./);
  assert.match(text, /✓ ≠ {2}assignments\.list\.filter-required/);
});

for (const [verdicts, expected] of [
  [['passed', 'passed'], 'passed'],
  [['failed', 'failed'], 'failed'],
  [['passed', 'not-testable'], 'flaky'],
  [['failed', 'error'], 'flaky'],
  [['flaky', 'flaky'], 'flaky'],
  [['passed', 'flaky'], 'flaky'],
] as [Verdict[], Verdict][])
  test(`a rule that is ${verdicts.join(' and ')} in two runs is ${expected}`, () => {
    assert.equal(findCell(mergeRuns(verdicts.map((verdict) => createRun(verdict)))).verdict, expected);
  });

test('a rule that one run could not test, because the suite was too slow, is partly tested, or as in the other runs', () => {
  const slow = createRun('not-testable', { inconclusive: true, reason: 'the suite was too slow' });
  const merge = (...results: Parameters<typeof mergeRuns>[0]) => findCell(mergeRuns(results));
  const { verdict, reason } = merge(slow, passed, passed);
  assert.deepEqual([verdict, reason], ['partly-tested', 'Not testable in run 1, passed in the runs 2 and 3.']);
  assert.deepEqual(
    [merge(failed, slow), merge(slow, slow), merge(slow, passed, failed)].map((cell) => cell.verdict),
    ['failed', 'not-testable', 'flaky'],
  );
});

test('a rule that a check of another rule found broken in one run is flaky', () => {
  const others = { ...passed, rules: passed.rules.filter(({ id }) => id !== DOCUMENTED_RULE) };
  assert.equal(findCell(mergeRuns([others, failed])).reason, 'Not found in run 1, failed in run 2.');
});

test('the exchanges of checks that always passed are left out, and observations of all runs are merged', () => {
  const observe = (value: number) => ({ ...passed, observations: [{ decision: 'lists.order', value, forms: ['flat' as const] }] });
  const merged = mergeRuns([observe(1), observe(2), observe(1)]);
  assert.doesNotMatch(JSON.stringify(merged), /"exchange"/);
  assert.deepEqual(
    merged.observations.map(({ value }) => value),
    [1, 2],
  );
});
