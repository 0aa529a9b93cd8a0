import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareInstants, isSameInstant, toMilliseconds } from './compare.ts';

test('compareInstants compares all fraction digits', () => {
  assert.ok(compareInstants('2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123457Z') < 0);
  assert.ok(compareInstants('2026-01-01T00:00:00.2Z', '2026-01-01T00:00:00.123457Z') > 0);
  assert.ok(compareInstants('2026-01-01T00:00:01Z', '2026-01-01T00:00:00.9Z') > 0);
});

test('compareInstants returns 0 for two notations of the same instant', () => {
  assert.equal(compareInstants('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00'), 0);
});

test('isSameInstant ignores truncation and rounding to fewer digits', () => {
  assert.ok(isSameInstant('2026-01-01T00:00:00.123999Z', '2026-01-01T00:00:00.123Z'));
  assert.ok(isSameInstant('2026-01-01T00:00:00.123999Z', '2026-01-01T00:00:00.124+00:00'));
  assert.ok(isSameInstant('2026-01-01T00:00:00.9Z', '2026-01-01T00:00:00Z'));
  assert.ok(isSameInstant('2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'));
});

test('isSameInstant is false if the times differ in a digit that both contain, and for a string that is not a date-time', () => {
  assert.ok(!isSameInstant('2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.124Z'));
  assert.ok(!isSameInstant('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'));
  assert.ok(!isSameInstant('2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456788Z'));
  assert.ok(!isSameInstant('yesterday', 'yesterday'));
});

test('isSameInstant and compareInstants accept any UTC offset, and both a point and a comma before the fraction', () => {
  assert.ok(isSameInstant('2026-01-01T10:30:00+01:00', '2026-01-01T09:30:00Z'));
  assert.ok(isSameInstant('2025-12-31T22:15:00,5-0315', '2026-01-01T01:30:00.5Z'));
  assert.equal(compareInstants('2026-01-01T10:30:00.100+01:00', '2026-01-01T09:30:00,1Z'), 0);
  assert.ok(compareInstants('2026-01-01T10:30:00+01:00', '2026-01-01T10:00:00Z') < 0);
  assert.ok(!isSameInstant('2026-01-01T10:30:00+01:00', '2026-01-01T10:30:00Z'));
});

test('toMilliseconds truncates to whole milliseconds, and returns NaN for a string that is not a date-time', () => {
  assert.equal(toMilliseconds('2026-01-01T00:00:17,9Z'), Date.UTC(2026, 0, 1, 0, 0, 17, 900));
  assert.equal(toMilliseconds('2026-01-01T01:00:00.123999+01:00'), Date.UTC(2026, 0, 1, 0, 0, 0, 123));
  assert.equal(toMilliseconds('2026-01-01T00:00:00Z'), Date.UTC(2026, 0, 1));
  for (const none of ['yesterday', 'undefined', '2026-01-01', '2026-13-01T00:00:00Z']) assert.ok(Number.isNaN(toMilliseconds(none)), none);
});
