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

test('a member of the template is left out if the value of its placeholder is missing', () => {
  assert.deepEqual(fill(template, { experienceId: 'e' }), { account: {}, experienceId: 'e', source: 'suite', tags: [1] });
});

test('a placeholder is required or optional; a template may also have no placeholder for a value', () => {
  assert.deepEqual(
    [placeOf(template, 'accountId'), placeOf(template, 'state'), placeOf(template, 'name')],
    ['required', 'optional', undefined],
  );
});
