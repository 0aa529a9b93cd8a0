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

test('values replace their placeholders, including placeholders within longer strings', () => {
  assert.deepEqual(fill(template, { accountId: 'a', experienceId: 'e', state: 'ACTIVE' }), {
    account: { ref: 'accounts/a' },
    experienceId: 'e',
    state: 'ACTIVE',
    source: 'suite',
    tags: [1],
  });
});

test('a member is omitted if the value of its placeholder is missing', () => {
  assert.deepEqual(fill(template, { experienceId: 'e' }), { account: {}, experienceId: 'e', source: 'suite', tags: [1] });
});

test('placeOf returns whether a value is required or optional, and undefined if the template has no placeholder for it', () => {
  assert.deepEqual(
    [placeOf(template, 'accountId'), placeOf(template, 'state'), placeOf(template, 'name')],
    ['required', 'optional', undefined],
  );
});
