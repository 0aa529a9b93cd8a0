import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDecisions } from '../../../src/contract/generated/decisions.ts';
import { DOCUMENTED, finding, passedEverywhere, smallResults } from '../../../src/report/testing/small-results.ts';
import { objectionsTo } from './judge.ts';

const seen = (...values: number[]) =>
  values.map((value) => ({ decision: 'assignments.create.duplicate', value, forms: ['prefixed'] as const }));
const texts = (results: Parameters<typeof objectionsTo>[0]) =>
  objectionsTo(results, { ...defaultDecisions, 'assignments.create.duplicate': 422 }, ['assignments.create.duplicate']).map(
    ({ text }) => text,
  );

test('nothing is objected to where every rule is kept and every decision seen', () => {
  assert.deepEqual(texts(smallResults(passedEverywhere, { observations: seen(422) })), []);
});

for (const [values, text] of [
  [[], 'assignments.create.duplicate is 422 and was not seen'],
  [[409], 'assignments.create.duplicate is 422 and was seen as 409'],
  [[409, 422], 'assignments.create.duplicate is 422 and was seen as 409 and 422'],
] as const) {
  test(`it is objected to: ${text}`, () => {
    assert.deepEqual(texts(smallResults(passedEverywhere, { observations: seen(...values) })), [text]);
  });
}

for (const verdict of ['failed', 'error', 'not-testable'] as const) {
  test(`a rule that is ${verdict} is objected to, whatever its level`, () => {
    const rest = passedEverywhere.filter(({ rule, form }) => rule !== DOCUMENTED || form !== 'flat');
    const found = [...rest, finding(DOCUMENTED, 'flat', verdict, { failure: { message: 'Expected 400.' } })];
    const [text, ...others] = texts(smallResults(found, { observations: seen(422) }));
    assert.match(text ?? '', new RegExp(`^${DOCUMENTED} \\(flat\\) is ${verdict}: .*Expected 400\\.`));
    assert.deepEqual(others, []);
  });
}

test('what is left behind, and what goes wrong outside of checks, is objected to', () => {
  const results = smallResults(passedEverywhere, { observations: seen(422), leftovers: ['a connection'], errors: ['no such file'] });
  assert.deepEqual(texts(results), ['no such file', 'left behind: a connection']);
});
