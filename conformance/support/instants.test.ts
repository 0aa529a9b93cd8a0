import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareInstants } from './instants.ts';

test('Instants are told apart by the last digit of their fractions', () => {
  assert.ok(compareInstants('2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123457Z') < 0);
  assert.ok(compareInstants('2026-01-01T00:00:00.2Z', '2026-01-01T00:00:00.123457Z') > 0);
  assert.ok(compareInstants('2026-01-01T00:00:01Z', '2026-01-01T00:00:00.9Z') > 0);
});

test('Instants are equal however they are written', () => {
  assert.equal(compareInstants('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00'), 0);
});
