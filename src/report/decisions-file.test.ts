import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { decisionsFile } from './decisions-file.ts';
import { smallResults } from './testing/small-results.ts';

const seen = (decision: string, ...values: (string | number | boolean)[]) =>
  values.map((value) => ({ decision, value, forms: ['flat'] as const }));

test('what was observed is a file of decisions; what a kit cannot do or what was seen in two ways is a comment', () => {
  const observations = [
    ...seen('assignments.create.duplicate', 422),
    ...seen('lists.order', 'by\nmood'),
    ...seen('connections.create.success', 200, 201),
  ];
  const text = decisionsFile(smallResults([], { observations }));
  assert.deepEqual(parse(text), { 'assignments.create.duplicate': 422 });
  assert.match(text, /# lists\.order: by mood, which the kit does not know\n# connections\.create\.success: seen as 200 and 201/);
});

test('where nothing was observed the file decides nothing', () => {
  assert.deepEqual(parse(decisionsFile(smallResults([]))), {});
});
