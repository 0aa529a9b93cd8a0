import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from './documents.ts';
import { smallContract } from './small-contract.ts';

const decision = {
  question: 'Which?',
  section: 'Endpoints',
  default: 400,
  alternatives: [422],
  means: { 400: 'One.', 422: 'Other.' },
  observable: true,
};
const read = (entry: JsonObject) => {
  const { decisions, problems } = smallContract({ decisions: { 'things.open': entry } });
  problems.throwIfAny();
  return decisions['things.open'];
};

test('a decision whose alternatives repeat the default has no alternative', () => {
  assert.deepEqual(read({ ...decision, alternatives: [400], means: { 400: 'One.' } })?.alternatives, []);
});

test('a decision that does not say what a value means is refused', () => {
  assert.throws(() => read({ ...decision, alternatives: [409] }), /decisions\.yaml#\/things\.open: does not say what 409 means/);
});

test('a decision that explains a value which cannot be chosen is refused', () => {
  assert.throws(() => read({ ...decision, alternatives: [] }), /explains 422, which cannot be chosen/);
});

test('a decision with an unknown key is refused', () => {
  assert.throws(() => read({ ...decision, 'a comma too many': null }), /has the unknown key a comma too many/);
});

const { alternatives: _, ...plain } = decision;
const withValues = { ...plain, default: 250, values: { type: 'integer', minimum: 0 }, sample: [0], means: {} };

test('a decision of many values has a sample of them', () => {
  assert.deepEqual(read(withValues)?.sample, [0]);
});

for (const [sample, what] of [
  [undefined, /has values and no sample of them/],
  [[250], /has 250 in its sample, which is its default or none of its values/],
  [[-1], /has -1 in its sample/],
  [['0'], /has 0 in its sample/],
] as const) {
  test(`a sample that is none of a decision's other values is refused: ${JSON.stringify(sample)}`, () => {
    const { sample: __, ...rest } = withValues;
    assert.throws(() => read(sample === undefined ? rest : { ...rest, sample: [...sample] }), what);
  });
}
