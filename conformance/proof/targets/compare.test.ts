import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { Cell, Verdict } from '../../../src/report/results.ts';
import { asGroups, asProblems, differences } from './compare.ts';
import type { Expected } from './list.ts';

const expected: Expected = { rule: 'users.get.shape', form: 'prefixed', verdict: 'passed', why: 'It is kept.\n', pointer: '/0/rules/0' };

function found(verdict: Verdict, members: Partial<Cell> = {}) {
  return differences({ expected: [expected] }, new Map([['users.get.shape prefixed', { verdict, missing: [], checks: [], ...members }]]));
}

const FAILED: Partial<Cell> = {
  checks: [
    { title: 'Good.', place: 'rules/a.spec.ts:1', verdict: 'passed', durationMs: 1 },
    { title: 'Bad.', place: 'rules/a.spec.ts:2', verdict: 'failed', durationMs: 1, failure: { message: 'Expected 200.\nGET /users was' } },
  ],
};

test('the verdict in the list is no difference', () => assert.deepEqual(found('passed'), []));

test('another verdict is told at its line, with what the list and the suite say', () => {
  assert.deepEqual(asProblems(found('failed', FAILED)), [
    {
      pointer: '/0/rules/0',
      reason:
        'users.get.shape (prefixed) is failed, not passed.\n    The list says: It is kept.\n    The suite says: rules/a.spec.ts:2 Bad. — Expected 200.',
    },
  ]);
});

test('what was missing is told', () => {
  assert.match(asProblems(found('not-testable', { missing: ['token'] }))[0]!.reason, /The suite says: missing: token$/);
});

test('a rule without a verdict is a difference', () => {
  assert.equal(differences({ expected: [expected] }, new Map()).length, 1);
});

test('what differs is written as groups without a reason', () => {
  const text = asGroups(found('failed', FAILED));
  assert.deepEqual(parse(text), [{ verdict: 'failed', form: 'prefixed', why: '', rules: ['users.get.shape'] }]);
  assert.match(text, /- users\.get\.shape # rules\/a\.spec\.ts:2 Bad\. — Expected 200\./);
});
