import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModel } from './model.ts';

const renameAda = { user: 'ada', predictValue: (oldValue: string) => (oldValue === '' ? undefined : 'new') };

test('the model reports an accepted change that the world does not contain', () => {
  const model = createModel(new Map([['ada', 'old']]));
  assert.equal(model.recordChange(renameAda)(true), undefined);
  assert.deepEqual(model.compare(new Map([['ada', 'old']])), ['ada is "old", not "new"']);
});

test('the model reports a response that is impossible for every value that the user may have', () => {
  assert.equal(createModel(new Map([['ada', 'old']])).recordChange(renameAda)(false), 'refused, but the user was "old"');
  assert.equal(createModel(new Map([['ada', '']])).recordChange(renameAda)(true), 'accepted, but the user was absent');
});

for (const [found, differences] of [
  ['new', 0],
  ['old', 0],
  ['older', 1],
] as const) {
  test(`if a change overlaps a replacement of the world, only the values before and after the change are possible: ${found}`, () => {
    const model = createModel(new Map([['ada', 'old']]));
    const saved = model.finishCopy();
    const answered = model.recordChange(renameAda);
    model.startAction('replace');
    answered(true);
    model.finishReplacement(saved);
    assert.equal(model.compare(new Map([['ada', found]])).length, differences);
  });
}

test('a snapshot saved during a change contains the user as it was before or after the change', () => {
  const model = createModel(new Map([['ada', 'old']]));
  model.startAction('copy');
  model.recordChange(renameAda)(true);
  assert.deepEqual(model.finishCopy().get('ada'), new Set(['old', 'new']));
});
