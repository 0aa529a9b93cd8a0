import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOCUMENTED, finding, IMPLIED, ONE_PATH, passedEverywhere, smallResults } from './testing/small-results.ts';
import { compareWithBaseline, conclusionOf, failureReasons, totalsOf } from './totals.ts';

const failedOnce = smallResults([...passedEverywhere, finding(DOCUMENTED, 'flat', 'failed')]);

test('the totals of a level contain the number of rules with each verdict', () => {
  const { passed, inScope, failed } = totalsOf(failedOnce.rules, 'documented');
  assert.deepEqual({ passed, inScope, failed }, { passed: 1, inScope: 2, failed: 1 });
  assert.equal(totalsOf(failedOnce.rules, 'implied').passed, 1);
});

test('a run in which every rule passed succeeds, with and without --strict', () => {
  for (const strict of [true, false]) assert.deepEqual(failureReasons(smallResults(passedEverywhere), { strict }), []);
});

test('a run with a failed documented rule fails', () => {
  assert.deepEqual(failureReasons(failedOnce, { strict: false }), ['documented rules failed: 1']);
});

test('a run with a failed implied rule fails only with --strict, but its conclusion contains the failure', () => {
  const results = smallResults([...passedEverywhere, finding(IMPLIED, 'flat', 'failed')]);
  assert.deepEqual(failureReasons(results, { strict: false }), []);
  assert.deepEqual(conclusionOf(results, [], new Set()), {
    kind: 'not-testable',
    text: 'No documented rule failed, but 1 implied rule failed.',
  });
  assert.equal(failureReasons(results, { strict: true }).length, 1);
});

test('a run fails only if a rule fails that `counts` selects', () => {
  const results = smallResults([...passedEverywhere, finding(IMPLIED, 'flat', 'failed'), finding(DOCUMENTED, 'flat', 'failed')]);
  assert.deepEqual(failureReasons(results, { strict: false, counts: ({ id }) => id === IMPLIED }), ['implied rules failed: 1']);
  const reasons = failureReasons(results, { strict: false, counts: ({ id }) => id === ONE_PATH });
  assert.equal(
    conclusionOf(results, reasons, new Set()).text,
    'Of the documented rules that count, none failed, but 1 implied rule failed.',
  );
});

test('the conclusion contains the number of failures that the baseline tolerates, even if no rule passed', () => {
  const results = smallResults([finding(DOCUMENTED, 'flat', 'failed'), finding(DOCUMENTED, 'prefixed', 'failed')]);
  const { tolerated } = compareWithBaseline(results, [{ rule: DOCUMENTED, reason: 'known' }]);
  const reasons = failureReasons(results, { strict: false, tolerated });
  assert.equal(
    conclusionOf(results, reasons, tolerated).text,
    'Of the documented rules that count, none failed. The baseline tolerates 1 failed rule.',
  );
  assert.equal(conclusionOf(smallResults([]), [], new Set()).text, 'Nothing was tested.');
});

test('a run with an untested rule fails only with --strict', () => {
  const results = smallResults(passedEverywhere.filter(({ rule }) => rule !== ONE_PATH));
  assert.deepEqual(failureReasons(results, { strict: false }), []);
  assert.deepEqual(failureReasons(results, { strict: true }), ['rules could not be tested (--strict): 1']);
});

test('a run with a partly tested rule fails only with --strict, and a baseline entry for the rule is not stale', () => {
  const results = smallResults([...passedEverywhere, finding(DOCUMENTED, 'flat', 'not-testable')]);
  assert.deepEqual(failureReasons(results, { strict: false }), []);
  assert.deepEqual(failureReasons(results, { strict: true }), ['rules were tested only in part (--strict): 1']);
  assert.deepEqual(compareWithBaseline(results, [{ rule: DOCUMENTED, form: 'flat', reason: 'known' }]).stale, []);
});

test('a run fails if an error occurs in a check of a rule of any level or outside of checks', () => {
  assert.equal(failureReasons(smallResults([...passedEverywhere, finding(IMPLIED, 'flat', 'error')]), { strict: false }).length, 1);
  assert.equal(failureReasons(smallResults(passedEverywhere, { errors: ['a spec cannot be read'] }), { strict: false }).length, 1);
});

test('an interrupted run fails', () => {
  assert.equal(failureReasons(smallResults(passedEverywhere, { interrupted: true }), { strict: false }).length, 1);
});

test('a failure in the baseline is tolerated only in the path form that the baseline specifies', () => {
  const { tolerated, stale } = compareWithBaseline(failedOnce, [{ rule: DOCUMENTED, form: 'flat', reason: 'known' }]);
  assert.deepEqual(failureReasons(failedOnce, { strict: true, tolerated, stale: stale.length }), []);
  const other = compareWithBaseline(failedOnce, [{ rule: DOCUMENTED, form: 'prefixed', reason: 'known' }]);
  assert.equal(other.stale.length, 1);
  assert.equal(other.tolerated.size, 0);
});

test('a baseline entry is stale if its rule passes, but not if its rule was not tested', () => {
  const entries = [DOCUMENTED, ONE_PATH, 'users.get.shape'].map((rule) => ({ rule, reason: 'known' }));
  const results = smallResults(passedEverywhere.filter(({ rule }) => rule !== ONE_PATH));
  assert.deepEqual(
    compareWithBaseline(results, entries).stale.map(({ rule }) => rule),
    [DOCUMENTED],
  );
});

test('an error of the suite is never tolerated', () => {
  const results = smallResults([finding(DOCUMENTED, 'flat', 'error')]);
  assert.equal(compareWithBaseline(results, [{ rule: DOCUMENTED, reason: 'known' }]).tolerated.size, 0);
});
