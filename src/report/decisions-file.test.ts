import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { decisionsFile } from './decisions-file.ts';
import { smallResults } from './testing/small-results.ts';

const seen = (decision: string, ...values: (string | number | boolean)[]) =>
  values.map((value) => ({ decision, value, forms: ['flat'] as const }));

test('an observed value becomes a decision; an unsupported value, or several values of one decision, become comments', () => {
  const observations = [
    ...seen('assignments.create.duplicate', 422),
    ...seen('lists.order', 'by\nmood'),
    ...seen('connections.create.success', 200, 201),
  ];
  const text = decisionsFile(smallResults([], { observations }));
  assert.deepEqual(parse(text), { 'assignments.create.duplicate': 422 });
  assert.match(text, /# lists\.order: by mood, which the kit does not support\n# connections\.create\.success: observed as 200 and 201/);
});

test('the decisions file of a run without observations is valid and empty', () => {
  assert.deepEqual(parse(decisionsFile(smallResults([]))), {});
});
