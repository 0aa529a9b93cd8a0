import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDifferences } from './diff.ts';
import { createFinding, createSmallResults, DOCUMENTED_RULE, IMPLIED_RULE, passedFindings } from './testing/small-results.ts';

const passedResults = createSmallResults(passedFindings, {
  observations: [{ decision: 'lists.order', value: 'newest-last', forms: ['flat'] }],
});
const failedResults = createSmallResults([
  ...passedFindings,
  createFinding(DOCUMENTED_RULE, 'flat', 'failed', { failure: { message: 'Expected 400.' } }),
]);

test('equal results have no differences', () => {
  assert.deepEqual(findDifferences(passedResults, passedResults), { worse: [], better: [], other: [], observations: [] });
});

test("if a rule passed in the older run and failed in the newer run, the rule is listed as worse, with the failure's message", () => {
  const [change, ...others] = findDifferences(passedResults, failedResults).worse;
  assert.deepEqual(others, []);
  assert.equal(change?.rule, DOCUMENTED_RULE);
  assert.equal(change?.column, 'flat');
  assert.equal(change?.message, 'Expected 400.');
});

test('if a rule failed in the older run and passed in the newer run, the rule is listed as better', () => {
  assert.deepEqual(
    findDifferences(failedResults, passedResults).better.map(({ rule }) => rule),
    [DOCUMENTED_RULE],
  );
});

test('only rules and path forms that both runs tested are compared', () => {
  const partial = { ...failedResults, partial: true, rules: failedResults.rules.filter(({ id }) => id === DOCUMENTED_RULE) };
  const { worse, better, other, observations } = findDifferences(passedResults, partial);
  assert.deepEqual([worse.map(({ rule }) => rule), better, other, observations], [[DOCUMENTED_RULE], [], [], []]);
  assert.deepEqual(findDifferences(passedResults, { ...failedResults, columns: ['prefixed'] }).worse, []);
});

test('a rule that one of the runs did not test is neither worse nor better', () => {
  const partial = { ...passedResults, rules: passedResults.rules.filter(({ id }) => id !== IMPLIED_RULE) };
  const { worse, better, other } = findDifferences(passedResults, partial);
  assert.deepEqual([worse, better], [[], []]);
  assert.deepEqual(
    other.map(({ rule, after }) => [rule, after]),
    [
      [IMPLIED_RULE, 'none'],
      [IMPLIED_RULE, 'none'],
    ],
  );
});

test('a decision is listed if its observed values differ between the runs', () => {
  assert.deepEqual(findDifferences(passedResults, failedResults).observations, [
    { decision: 'lists.order', before: 'newest-last', after: 'not observed' },
  ]);
});
