import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from './reporter.ts';
import { objectionsTo } from './verify.ts';

const start = () => ({});
const mutants = ['one', 'two'].map((name) => ({ name, rule: 'users.list.count', does: `Is ${name}.`, start }));

function outcome(check: string, server: string, ended: Outcome['ended']): Outcome {
  return { check, rule: 'users.list.count', server, ended, message: 'Expected 1.\nGot 2.' };
}

const CASES: readonly { title: string; outcomes: readonly Outcome[]; objections: readonly string[]; doubtful?: number }[] = [
  {
    title: 'nothing is wrong if every check kills a mutant and every mutant is killed',
    outcomes: [
      outcome('a', 'one', 'killed'),
      outcome('b', 'one', 'passed'),
      outcome('a', 'two', 'redundant'),
      outcome('b', 'two', 'killed'),
    ],
    objections: [],
  },
  {
    title: 'a mutant survives that checks pass or are not run against',
    outcomes: [outcome('a', 'one', 'killed'), outcome('a', 'two', 'not-testable')],
    objections: ['two: survives. Is two.\na: not-testable, Expected 1.'],
    doubtful: 1,
  },
  {
    title: 'an error kills no mutant',
    outcomes: [outcome('a', 'one', 'killed'), outcome('a', 'two', 'error')],
    objections: ['two: survives. Is two.\na: error, Expected 1.'],
    doubtful: 1,
  },
  {
    title: 'a mutant survives whose rule has no check',
    outcomes: [outcome('a', 'one', 'killed')],
    objections: ['two: survives. Is two.\nIts rule has no check.'],
  },
  {
    title: 'a check has to kill a mutant, unless it does not apply',
    outcomes: [
      ...[outcome('a', 'one', 'killed'), outcome('a', 'two', 'killed')],
      ...[outcome('b', 'one', 'passed'), outcome('b', 'two', 'passed'), outcome('c', 'one', 'not-applicable')],
    ],
    objections: ['mutants: None is killed by the check b'],
    doubtful: 2,
  },
  {
    title: 'a server that does nothing passes no check',
    outcomes: [
      ...[outcome('a', 'one', 'killed'), outcome('a', 'two', 'killed')],
      ...[outcome('a', 'always 404', 'passed'), outcome('a', 'always 200', 'not-testable'), outcome('a', 'always 500', 'killed')],
    ],
    objections: ['always 404: passes a'],
  },
];

for (const { title, outcomes, objections, doubtful = 0 } of CASES) {
  test(title, () => {
    const found = objectionsTo(mutants, outcomes);
    assert.deepEqual(
      found.objections.map(({ server, text }) => `${server}: ${text}`),
      objections,
    );
    assert.equal(found.doubtful.length, doubtful);
  });
}
