import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCounterexample } from './message.ts';

test('a very short counterexample shows the steps of an earlier sequence', () => {
  const text = formatCounterexample({
    difference: { rule: 'connections.create.success', message: 'Expected 202, not 409' },
    dialogue: ['POST /experience/connections (new connection 1) → 409'],
    earlier: ['The portal deletes new connection 2 → done'],
    ids: { 'account 1': '019b' },
    created: { 'new connection 1': '77fe' },
    script: '',
    seed: 7,
    path: '0:3',
  });
  assert.deepEqual(text.split('\n').slice(1), [
    'One step shows it:',
    '  1. POST /experience/connections (new connection 1) → 409',
    'The cause may be an earlier sequence, whose entities were deleted at its end. Its steps about the same entities:',
    '  - The portal deletes earlier connection 2 → done',
    'What is “new” was created by a step: new connection 1 was 77fe.',
    'Everything else is in the profile: account 1 is 019b, the token of the manager is tokens.full.',
    'To repeat the sequence, add to the xpk command: --seed 7 --path 0:3',
  ]);
});

test('the last step shows what was expected of it, and the hooks are named', () => {
  const request = { path: { experienceConnectionId: '«connection #1»' }, as: 'reader', form: 'prefixed' } as const;
  const text = formatCounterexample({
    difference: {
      ...{ rule: 'connections.get.found', message: 'Expected 200, not 404' },
      request: { operation: 'getExperienceConnection', request },
    },
    dialogue: ['The portal connects account 1 with experience 1 (new connection 1) → done'],
    ...{ earlier: [], ids: {}, created: {}, script: '', seed: 7, path: '0' },
  });
  assert.deepEqual(text.split('\n').slice(1, -2), [
    'Step 2 shows it, and no shorter sequence was found:',
    '  1. The portal connects account 1 with experience 1 (new connection 1) → done',
    '  2. GET /experience/connections/new connection 1, as the reader',
    '     Expected 200, not 404',
    'What is “new” was created by a step.',
    'The suite acts as the portal and as the platform with hooks, or in a kit with the control API. “done” means that there was no error.',
  ]);
});
