import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf } from './diff.ts';
import { DOCUMENTED, finding, IMPLIED, passedEverywhere, smallResults } from './testing/small-results.ts';

const good = smallResults(passedEverywhere, { observations: [{ decision: 'lists.order', value: 'newest-last', forms: ['flat'] }] });
const bad = smallResults([...passedEverywhere, finding(DOCUMENTED, 'flat', 'failed', { failure: { message: 'Expected 400.' } })]);

test('equal results have no differences', () => {
  assert.deepEqual(differenceOf(good, good), { worse: [], better: [], other: [], observations: [] });
});

test('a rule that passed in the older run and fails in the newer run is worse, and the change contains the message of the failure', () => {
  const [change, ...others] = differenceOf(good, bad).worse;
  assert.deepEqual(others, []);
  assert.equal(change?.rule, DOCUMENTED);
  assert.equal(change?.column, 'flat');
  assert.equal(change?.message, 'Expected 400.');
});

test('a rule that failed in the older run and passes in the newer run is better', () => {
  assert.deepEqual(
    differenceOf(bad, good).better.map(({ rule }) => rule),
    [DOCUMENTED],
  );
});

test('if a run tested only some rules or one path form, only rules and path forms that both runs tested are compared', () => {
  const partial = { ...bad, partial: true, rules: bad.rules.filter(({ id }) => id === DOCUMENTED) };
  const { worse, better, other, observations } = differenceOf(good, partial);
  assert.deepEqual([worse.map(({ rule }) => rule), better, other, observations], [[DOCUMENTED], [], [], []]);
  assert.deepEqual(differenceOf(good, { ...bad, columns: ['prefixed'] }).worse, []);
});

test('a rule that one of the runs did not test is neither worse nor better', () => {
  const partial = { ...good, rules: good.rules.filter(({ id }) => id !== IMPLIED) };
  const { worse, better, other } = differenceOf(good, partial);
  assert.deepEqual([worse, better], [[], []]);
  assert.deepEqual(
    other.map(({ rule, after }) => [rule, after]),
    [
      [IMPLIED, 'none'],
      [IMPLIED, 'none'],
    ],
  );
});

test('a decision whose observed value differs between the runs is listed', () => {
  assert.deepEqual(differenceOf(good, bad).observations, [{ decision: 'lists.order', before: 'newest-last', after: 'not observed' }]);
});
