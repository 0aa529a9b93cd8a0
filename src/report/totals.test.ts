import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createFinding,
  createSmallResults,
  DOCUMENTED_RULE,
  IMPLIED_RULE,
  ONE_PATH_RULE,
  passedFindings,
} from './testing/small-results.ts';
import { compareWithBaseline, concludeRun, countTotals, listFailureReasons } from './totals.ts';

const failedResults = createSmallResults([...passedFindings, createFinding(DOCUMENTED_RULE, 'flat', 'failed')]);

test("a level's totals contain the number of rules with each verdict", () => {
  const { passed, inScope, failed } = countTotals(failedResults.rules, 'documented');
  assert.deepEqual({ passed, inScope, failed }, { passed: 1, inScope: 2, failed: 1 });
  assert.equal(countTotals(failedResults.rules, 'implied').passed, 1);
});

test('a run succeeds if every rule passed, with and without --strict', () => {
  for (const strict of [true, false]) assert.deepEqual(listFailureReasons(createSmallResults(passedFindings), { strict }), []);
});

test('a run with a failed documented rule fails', () => {
  assert.deepEqual(listFailureReasons(failedResults, { strict: false }), ['documented rules failed: 1']);
  assert.deepEqual(listFailureReasons(failedResults, { strict: false, namesRules: true }), [`documented rules failed: ${DOCUMENTED_RULE}`]);
});

test('a failed implied rule makes a run fail only with --strict, but the conclusion always mentions the failure', () => {
  const results = createSmallResults([...passedFindings, createFinding(IMPLIED_RULE, 'flat', 'failed')]);
  assert.deepEqual(listFailureReasons(results, { strict: false }), []);
  assert.deepEqual(concludeRun(results, [], new Set()), {
    kind: 'not-testable',
    text: 'No documented rule failed, but 1 implied rule failed.',
  });
  assert.equal(listFailureReasons(results, { strict: true }).length, 1);
});

test('a run fails only if `makesRunFail` selects a failed rule', () => {
  const results = createSmallResults([
    ...passedFindings,
    createFinding(IMPLIED_RULE, 'flat', 'failed'),
    createFinding(DOCUMENTED_RULE, 'flat', 'failed'),
  ]);
  assert.deepEqual(listFailureReasons(results, { strict: false, makesRunFail: ({ id }) => id === IMPLIED_RULE }), [
    'implied rules failed: 1',
  ]);
  const reasons = listFailureReasons(results, { strict: false, makesRunFail: ({ id }) => id === ONE_PATH_RULE });
  assert.equal(concludeRun(results, reasons, new Set()).text, 'No documented rule made the run fail, but 1 implied rule failed.');
});

test('the conclusion counts the tolerated failures, even if no rule passed', () => {
  const results = createSmallResults([
    createFinding(DOCUMENTED_RULE, 'flat', 'failed'),
    createFinding(DOCUMENTED_RULE, 'prefixed', 'failed'),
  ]);
  const { tolerated } = compareWithBaseline(results, [{ rule: DOCUMENTED_RULE, reason: 'known' }]);
  const reasons = listFailureReasons(results, { strict: false, tolerated });
  assert.equal(
    concludeRun(results, reasons, tolerated).text,
    'No documented rule made the run fail. The baseline tolerates 1 failed rule.',
  );
  assert.equal(concludeRun(createSmallResults([]), [], new Set()).text, 'Nothing was tested.');
});

test('a run with an untested rule fails only with --strict', () => {
  const results = createSmallResults(passedFindings.filter(({ rule }) => rule !== ONE_PATH_RULE));
  assert.deepEqual(listFailureReasons(results, { strict: false }), []);
  assert.deepEqual(listFailureReasons(results, { strict: true }), ['rules could not be tested (--strict): 1']);
});

test('a run with a partly tested rule fails only with --strict, and the baseline entry for this rule does not become stale', () => {
  const results = createSmallResults([...passedFindings, createFinding(DOCUMENTED_RULE, 'flat', 'not-testable')]);
  assert.deepEqual(listFailureReasons(results, { strict: false }), []);
  assert.deepEqual(listFailureReasons(results, { strict: true }), ['rules were only partly tested (--strict): 1']);
  assert.deepEqual(compareWithBaseline(results, [{ rule: DOCUMENTED_RULE, form: 'flat', reason: 'known' }]).stale, []);
});

test('a run fails if an error occurs in a check or outside the checks', () => {
  assert.equal(
    listFailureReasons(createSmallResults([...passedFindings, createFinding(IMPLIED_RULE, 'flat', 'error')]), { strict: false }).length,
    1,
  );
  assert.equal(listFailureReasons(createSmallResults(passedFindings, { errors: ['a spec cannot be read'] }), { strict: false }).length, 1);
});

test('a run fails because of an error in a check, even if another check of the rule has failed and the failure is tolerated', () => {
  const results = createSmallResults([
    ...passedFindings,
    createFinding(DOCUMENTED_RULE, 'flat', 'failed'),
    createFinding(DOCUMENTED_RULE, 'flat', 'error'),
  ]);
  const { tolerated } = compareWithBaseline(results, [{ rule: DOCUMENTED_RULE, reason: 'known' }]);
  assert.deepEqual(listFailureReasons(results, { strict: false, tolerated }), ['errors in the suite itself: 1']);
});

test('an interrupted run fails', () => {
  assert.equal(listFailureReasons(createSmallResults(passedFindings, { interrupted: true }), { strict: false }).length, 1);
});

test('a failure in the baseline is tolerated only in the path form that the baseline specifies', () => {
  const { tolerated, stale } = compareWithBaseline(failedResults, [{ rule: DOCUMENTED_RULE, form: 'flat', reason: 'known' }]);
  assert.deepEqual(listFailureReasons(failedResults, { strict: true, tolerated, stale: stale.map(({ rule }) => rule) }), []);
  const other = compareWithBaseline(failedResults, [{ rule: DOCUMENTED_RULE, form: 'prefixed', reason: 'known' }]);
  assert.equal(other.stale.length, 1);
  assert.equal(other.tolerated.size, 0);
});

test('a baseline entry is stale if its rule passes, but not if its rule was not tested', () => {
  const entries = [DOCUMENTED_RULE, ONE_PATH_RULE, 'users.get.shape'].map((rule) => ({ rule, reason: 'known' }));
  const results = createSmallResults(passedFindings.filter(({ rule }) => rule !== ONE_PATH_RULE));
  assert.deepEqual(
    compareWithBaseline(results, entries).stale.map(({ rule }) => rule),
    [DOCUMENTED_RULE],
  );
});

test('an error in the suite is never tolerated', () => {
  const results = createSmallResults([createFinding(DOCUMENTED_RULE, 'flat', 'error')]);
  assert.equal(compareWithBaseline(results, [{ rule: DOCUMENTED_RULE, reason: 'known' }]).tolerated.size, 0);
});
