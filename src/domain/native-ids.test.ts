import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStyles } from './native-ids.ts';

test('the form of a user id decides which id styles to try, and in which order', () => {
  const rows = {
    '6d1b7a4e-30a4-4f0f-9d3c-0a4f5e6b7c8d': ['unified'],
    '123': ['legacy-numeric', 'base62'],
    '123a': ['base62'],
    a123: ['base62'],
    'aZ_-9': ['base62'],
    'a b': [],
    ' ab': [],
    'ab ': [],
    '': [],
  };
  for (const [userId, styles] of Object.entries(rows)) assert.deepEqual(findStyles(userId, 'legacy-numeric'), styles, userId);
  assert.deepEqual(findStyles('123', 'base62'), ['base62', 'legacy-numeric']);
});
