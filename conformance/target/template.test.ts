import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, placeOf } from './template.ts';

const template = {
  account: { ref: 'accounts/{{accountId}}' },
  experienceId: '{{experienceId}}',
  state: '{{state?}}',
  source: 'suite',
  tags: [1],
};

test('Values stand where their placeholders stood, within longer strings too', () => {
  assert.deepEqual(fill(template, { accountId: 'a', experienceId: 'e', state: 'ACTIVE' }), {
    account: { ref: 'accounts/a' },
    experienceId: 'e',
    state: 'ACTIVE',
    source: 'suite',
    tags: [1],
  });
});

test('A member without its value is left out', () => {
  assert.deepEqual(fill(template, { experienceId: 'e' }), { account: {}, experienceId: 'e', source: 'suite', tags: [1] });
});

test('A value is required, optional, or has no place', () => {
  assert.deepEqual(
    [placeOf(template, 'accountId'), placeOf(template, 'state'), placeOf(template, 'name')],
    ['required', 'optional', undefined],
  );
});
