import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareInstants, isSameInstant } from './instants.ts';

test('Instants are told apart by the last digit of their fractions', () => {
  assert.ok(compareInstants('2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123457Z') < 0);
  assert.ok(compareInstants('2026-01-01T00:00:00.2Z', '2026-01-01T00:00:00.123457Z') > 0);
  assert.ok(compareInstants('2026-01-01T00:00:01Z', '2026-01-01T00:00:00.9Z') > 0);
});

test('Instants are equal however they are written', () => {
  assert.equal(compareInstants('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00'), 0);
});

test('Instants are the same when one is written with fewer digits, cut off or rounded', () => {
  assert.ok(isSameInstant('2026-01-01T00:00:00.123999Z', '2026-01-01T00:00:00.123Z'));
  assert.ok(isSameInstant('2026-01-01T00:00:00.123999Z', '2026-01-01T00:00:00.124+00:00'));
  assert.ok(isSameInstant('2026-01-01T00:00:00.9Z', '2026-01-01T00:00:00Z'));
  assert.ok(isSameInstant('2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'));
});

test('Instants are not the same when they differ in what both write, or are none', () => {
  assert.ok(!isSameInstant('2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.124Z'));
  assert.ok(!isSameInstant('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'));
  assert.ok(!isSameInstant('2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456788Z'));
  assert.ok(!isSameInstant('yesterday', 'yesterday'));
});
