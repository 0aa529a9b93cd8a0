import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { formatDecisionsFile } from './decisions-file.ts';
import { createSmallResults } from './testing/small-results.ts';

const createObservations = (decision: string, ...values: (string | number | boolean)[]) =>
  values.map((value) => ({ decision, value, forms: ['flat'] as const }));

test('the decisions file contains observed values, and comments about unsupported or ambiguous values', () => {
  const observations = [
    ...createObservations('assignments.create.duplicate', 422),
    ...createObservations('lists.order', 'by\nmood'),
    ...createObservations('connections.create.success', 200, 201),
  ];
  const text = formatDecisionsFile(createSmallResults([], { observations }));
  assert.deepEqual(parse(text), { 'assignments.create.duplicate': 422 });
  assert.match(text, /# lists\.order: by mood, which the kit does not support\n# connections\.create\.success: observed as 200 and 201/);
});

test('for a run without observations, the decisions file is an empty map', () => {
  assert.deepEqual(parse(formatDecisionsFile(createSmallResults([]))), {});
});
