import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillTemplate, findPlaceholder } from './template.ts';

const template = {
  account: { ref: 'accounts/{{accountId}}' },
  experienceId: '{{experienceId}}',
  state: '{{state?}}',
  source: 'suite',
  tags: [1],
};

test('values replace their placeholders, including placeholders within longer strings', () => {
  assert.deepEqual(fillTemplate(template, { accountId: 'a', experienceId: 'e', state: 'ACTIVE' }), {
    account: { ref: 'accounts/a' },
    experienceId: 'e',
    state: 'ACTIVE',
    source: 'suite',
    tags: [1],
  });
});

test('a member is omitted if its placeholder has no value', () => {
  assert.deepEqual(fillTemplate(template, { experienceId: 'e' }), { account: {}, experienceId: 'e', source: 'suite', tags: [1] });
});

test('findPlaceholder returns whether a value is required or optional, and undefined if the template has no placeholder for it', () => {
  assert.deepEqual(
    [findPlaceholder(template, 'accountId'), findPlaceholder(template, 'state'), findPlaceholder(template, 'name')],
    ['required', 'optional', undefined],
  );
});
