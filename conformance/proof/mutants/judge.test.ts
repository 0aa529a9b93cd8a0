import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problem } from './exchange.ts';
import { judge } from './judge.ts';
import { answerInstead, type Mutant } from './mutant.ts';
import type { Outcome } from './reporter.ts';

const RULE = 'users.list.account-id-required';
const registered: Mutant = { name: `${RULE}#1`, rule: RULE, does: 'Refuses everything.', start: answerInstead('any', () => problem(404)) };
const check = (name: string, rule = RULE) => ({ check: name, rules: [rule], costly: false });
const outcome = (name: string, ended: Outcome['ended'], saboteur: string | undefined = registered.name): Outcome => ({
  check: name,
  saboteur,
  ended,
  message: 'as it was',
  durationMs: 1,
});
const others = Array.from({ length: 9 }, (_, index) => check(`other ${index}`, `users.other.${index}`));

function judged(outcomes: readonly Outcome[], { clean = [outcome('a', 'passed')], saboteur = registered } = {}) {
  const checks = [check('a'), check('b'), ...others];
  return judge({
    saboteurs: [saboteur],
    clean: { checks, outcomes: clean, errors: [] },
    sabotaged: { checks, outcomes, errors: [] },
  });
}

test('a saboteur is caught where a check says that its rule is broken', () => {
  const { caught, objections } = judged([outcome('a', 'broken'), outcome('b', 'broken')]);
  assert.deepEqual(caught[0]?.by, ['a', 'b']);
  assert.deepEqual(objections, []);
});

for (const ended of ['passed', 'harness', 'not-testable'] as const) {
  test(`a saboteur is not caught where the check of its rule ends as ${ended}`, () => {
    assert.match(judged([outcome('a', ended)]).objections[0] ?? '', /^Not caught: users\.list\.account-id-required#1/);
  });
}

test('a check that no saboteur of its rule reddens is named, though another check catches it', () => {
  assert.deepEqual(judged([outcome('a', 'broken'), outcome('b', 'passed')]).objections, ['No saboteur of its rule reddens: b']);
});

test('a check that cannot be made in this form says nothing', () => {
  assert.deepEqual(judged([outcome('a', 'broken'), outcome('b', 'not-applicable')]).objections, []);
});

test('a check that was spared counts neither for nor against', () => {
  const { caught, objections } = judged([outcome('a', 'broken'), outcome('a', 'spared'), outcome('a', 'passed', 'always 404')]);
  assert.deepEqual(caught[0], { saboteur: registered, by: ['a'], missedBy: [], sparedBy: ['a'], others: [] });
  assert.deepEqual(objections, [`Does nothing and passes: always 404: ${RULE}`]);
});

test('a saboteur that every check was spared is not caught, and those checks are without teeth', () => {
  assert.deepEqual(judged([outcome('a', 'spared')]).objections, [
    `Not caught: ${registered.name}. Refuses everything.`,
    'No saboteur of its rule reddens: a',
  ]);
});

const reddensNine = [outcome('a', 'broken'), ...others.map((other) => outcome(other.check, 'broken'))];

test('a saboteur that reddens more rules than it may is objected to', () => {
  assert.match(judged(reddensNine).objections[0] ?? '', /^Reddens 9 other rules/);
});

test('a saboteur may say that it reddens more', () => {
  const saboteur = { ...registered, alsoFails: { atMost: 9, because: 'nothing narrower breaks it' } };
  assert.deepEqual(judged(reddensNine, { saboteur }).objections, []);
});

test('a check that fails without a saboteur is objected to', () => {
  const { objections } = judged([outcome('a', 'broken')], { clean: [outcome('a', 'broken', undefined)] });
  assert.deepEqual(objections, ['Without a saboteur a: as it was']);
});

test('a server that does nothing and passes a documented rule is objected to', () => {
  const { passedByNothing, objections } = judged([outcome('a', 'broken'), outcome('a', 'passed', 'always 404')]);
  assert.deepEqual(passedByNothing, [{ server: 'always 404', rules: [RULE] }]);
  assert.deepEqual(objections, [`Does nothing and passes: always 404: ${RULE}`]);
});

test('a server that does nothing passes no rule that one of its checks finds broken', () => {
  const outcomes = [outcome('a', 'broken'), outcome('a', 'passed', 'always 404'), outcome('b', 'broken', 'always 404')];
  assert.deepEqual(judged(outcomes).passedByNothing, [{ server: 'always 404', rules: [] }]);
});
