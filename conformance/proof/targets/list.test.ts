import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { rulesInScope } from '../../../src/report/scope.ts';
import { parseGoldenList, readGoldenList } from './list.ts';
import { goldenTargets } from './target.ts';

const [first, ...rest] = rulesInScope.map(({ id }) => id) as [string, ...string[]];
const users = 'users.get.shape';

/** A list in which these are passed and all others are failed. The first of these stands in line 4, or with a form in line 5. */
function list(rules: readonly string[], form?: string): string {
  const others = rulesInScope.map(({ id }) => id).filter((id) => !rules.includes(id));
  return stringify([
    { verdict: 'passed', why: 'kept', ...(form && { form }), rules },
    { verdict: 'failed', why: 'broken', rules: others },
  ]);
}

const problemsOf = (text: string): string[] => {
  try {
    parseGoldenList(text, 'x.yaml');
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

test('a group stands for its rules in every form that they have', () => {
  const { expected } = parseGoldenList(list([first, users]), 'x.yaml');
  const kept = expected.filter(({ verdict }) => verdict === 'passed').map(({ rule, form, why }) => [rule, form, why]);
  assert.deepEqual(kept, [
    [first, 'prefixed', 'kept'],
    [first, 'flat', 'kept'],
    [users, 'prefixed', 'kept'],
  ]);
});

test('a rule that is left out is missing in each of its forms', () => {
  assert.deepEqual(problemsOf(stringify([{ verdict: 'failed', why: 'broken', rules: rest }])), [
    `x.yaml:1:1: ${first} (prefixed and flat) is missing.`,
  ]);
});

test('a group of one form leaves the other open', () => {
  assert.deepEqual(problemsOf(list([first], 'flat')), [`x.yaml:1:1: ${first} (prefixed) is missing.`]);
});

test('a rule that is there twice is told at the second place', () => {
  assert.deepEqual(problemsOf(list([users, first, users])), [`x.yaml:6:7: ${users} (prefixed) is there already. Keep one.`]);
});

test('an id that no rule has is told, with the one that was meant', () => {
  assert.deepEqual(problemsOf(list(['users.get.shapes'])), ['x.yaml:4:7: There is no such rule. Did you mean "users.get.shape"?']);
});

test('a rule that the suite does not judge is told', () => {
  assert.match(problemsOf(list(['client.cursor-opaque'])).join(), /x\.yaml:4:7: This rule is not among those that the suite judges\./);
});

test('a form that the rule has not is told', () => {
  assert.ok(problemsOf(list([users], 'flat')).includes(`x.yaml:5:7: ${users} has the form prefixed only.`));
});

test('a group without a reason, or with an empty one, is refused', () => {
  assert.deepEqual(problemsOf('- { verdict: passed, rules: [x] }'), ['x.yaml:1:3: The member "why" is missing.']);
  assert.deepEqual(problemsOf("- { verdict: passed, why: '', rules: [x] }"), ['x.yaml:1:27: This must not be empty.']);
});

test('every target has a list in which each rule stands once', async () => {
  for (const { list: path } of await goldenTargets()) await readGoldenList(path);
});
