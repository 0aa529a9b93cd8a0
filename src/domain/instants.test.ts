import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNextInstant } from './instants.ts';

test('the next `updatedAt` is the current time, but always later than the previous `updatedAt`', () => {
  for (const previous of [null, undefined, '1969-12-31T23:59:59.999Z'])
    assert.equal(getNextInstant(0, previous), '1970-01-01T00:00:00.000Z');
  assert.equal(getNextInstant(0, '1970-01-01T00:00:00.000Z'), '1970-01-01T00:00:00.001Z');
  assert.equal(getNextInstant(0, '1970-01-01T00:00:05.000Z'), '1970-01-01T00:00:05.001Z');
});
