import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from './reporter.ts';
import { objectionsTo } from './verify.ts';

const mutants = ['one', 'two'].map((name) => ({ name, rule: 'users.list.count', does: `Is ${name}.`, start: () => ({}) }));

type Ended = readonly [check: string, server: string, ended: Outcome['ended']];
const KILLED: readonly Ended[] = [
  ['a', 'one', 'killed'],
  ['a', 'two', 'killed'],
];

const CASES: readonly (readonly [title: string, ended: readonly Ended[], ...objections: string[]])[] = [
  ['a check may skip a mutant as redundant', [KILLED[0]!, ['b', 'one', 'passed'], ['a', 'two', 'redundant'], ['b', 'two', 'killed']]],
  ['a mutant survives if its check fails otherwise', [KILLED[0]!, ['a', 'two', 'error']], 'two: survives. Is two.\na: error, Expected 1.'],
  ['a mutant survives if its rule has no check', [KILLED[0]!], 'two: survives. Is two.\nThe rule has no check.'],
  ['a check that kills no mutant is an objection', [...KILLED, ['b', 'one', 'passed']], 'mutants: The check b kills no mutant.'],
  ['a check that does not apply need not kill a mutant', [...KILLED, ['b', 'one', 'not-applicable']]],
  ['a server that does nothing may pass no check', [...KILLED, ['a', 'always 404', 'passed']], 'always 404: passes a'],
  [
    'a server that does nothing may make a check untestable',
    [...KILLED, ['a', 'always 200', 'not-testable'], ['a', 'always 500', 'killed']],
  ],
  [
    'a permitted server has to pass every check',
    [...KILLED, ['a', 'Sends no state with an error.', 'passed'], ['b', 'Sends no state with an error.', 'killed']],
    'Sends no state with an error.: does not pass b\nExpected 1.\nGot 2.',
  ],
];

for (const [title, all, ...expected] of CASES) {
  test(title, () => {
    const outcomes = all.map(([check, server, ended]) => ({
      check,
      rule: 'users.list.count' as const,
      server,
      ended,
      message: 'Expected 1.\nGot 2.',
    }));
    assert.deepEqual(
      objectionsTo(mutants, outcomes).map(({ server, text }) => `${server}: ${text}`),
      expected,
    );
  });
}
