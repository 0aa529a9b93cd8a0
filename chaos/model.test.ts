import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModel } from './model.ts';

const rename = { user: 'ada', apply: (before: string) => (before === '' ? undefined : 'new') };

test('the model reports a change that the kit accepted, if the world later does not contain the change', () => {
  const model = createModel(new Map([['ada', 'old']]));
  assert.equal(model.send(rename)(true), undefined);
  assert.deepEqual(model.compare(new Map([['ada', 'old']])), ['ada is "old", not "new"']);
});

test('the model reports an accepted or refused change if no possible value of the user explains the answer', () => {
  assert.equal(createModel(new Map([['ada', 'old']])).send(rename)(false), 'refused, but the user was old');
  assert.equal(createModel(new Map([['ada', '']])).send(rename)(true), 'accepted, but the user was absent');
});

for (const [found, differences] of [
  ['new', 0],
  ['old', 0],
  ['older', 1],
] as const) {
  test(`if a change overlaps a replacement of the world, the user has the value before or after the change, and no other value: ${found}`, () => {
    const model = createModel(new Map([['ada', 'old']]));
    const saved = model.copied();
    const answered = model.send(rename);
    model.open('replace');
    answered(true);
    model.replaced(saved);
    assert.equal(model.compare(new Map([['ada', found]])).length, differences);
  });
}

test('a snapshot that is saved during a change contains the user before or after the change', () => {
  const model = createModel(new Map([['ada', 'old']]));
  model.open('copy');
  model.send(rename)(true);
  assert.deepEqual(model.copied().get('ada'), new Set(['old', 'new']));
});
