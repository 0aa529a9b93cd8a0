import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from './reporter.ts';
import { findProofFailures } from './verify.ts';

const mutants = ['one', 'two'].map((name) => ({ name, rule: 'users.list.count', description: `Is ${name}.`, start: () => ({}) }));

type CheckEnd = readonly [check: string, server: string, ended: Outcome['ended']];
const KILLED_OUTCOME: readonly CheckEnd[] = [
  ['a', 'one', 'killed'],
  ['a', 'two', 'killed'],
];

const CASES: readonly (readonly [title: string, ended: readonly CheckEnd[], ...failures: string[]])[] = [
  [
    'a check may skip a mutant as redundant',
    [KILLED_OUTCOME[0]!, ['b', 'one', 'passed'], ['a', 'two', 'redundant'], ['b', 'two', 'killed']],
  ],
  [
    'a mutant survives if its check ends with an error instead of reporting a broken rule',
    [KILLED_OUTCOME[0]!, ['a', 'two', 'error']],
    'two: survives. Is two.\na: error, Expected 1.',
  ],
  ['a mutant survives if its rule has no check', [KILLED_OUTCOME[0]!], 'two: survives. Is two.\nThe rule has no check.'],
  [
    'findProofFailures reports a check that kills no mutant',
    [...KILLED_OUTCOME, ['b', 'one', 'passed']],
    'mutants: The check b kills no mutant.',
  ],
  [
    'findProofFailures reports a stub server that passes a check',
    [...KILLED_OUTCOME, ['a', 'always 404', 'passed']],
    'always 404: passes a',
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
      findProofFailures(mutants, outcomes).map(({ server, text }) => `${server}: ${text}`),
      expected,
    );
  });
}
