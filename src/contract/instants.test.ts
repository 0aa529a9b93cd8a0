import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareInstants, isSameInstant, toMilliseconds } from './instants.ts';

const COMPARED_INSTANTS: readonly (readonly [what: string, first: string, second: string, sign: -1 | 0 | 1])[] = [
  ['all fraction digits', '2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123457Z', -1],
  ['fractions with different numbers of digits', '2026-01-01T00:00:00.2Z', '2026-01-01T00:00:00.123457Z', 1],
  ['an instant without a fraction', '2026-01-01T00:00:01Z', '2026-01-01T00:00:00.9Z', 1],
  ['two notations of the same instant', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00', 0],
  ['UTC offsets, points and commas', '2026-01-01T10:30:00.100+01:00', '2026-01-01T09:30:00,1Z', 0],
  ['times with different UTC offsets', '2026-01-01T10:30:00+01:00', '2026-01-01T10:00:00Z', -1],
];
for (const [what, first, second, sign] of COMPARED_INSTANTS)
  test(`compareInstants compares ${what}`, () => assert.equal(Math.sign(compareInstants(first, second)), sign));

const SAME_INSTANTS: readonly (readonly [isSame: boolean, why: string, first: string, second: string])[] = [
  [true, 'the second time is truncated', '2026-01-01T00:00:00.123999Z', '2026-01-01T00:00:00.123Z'],
  [true, 'the second time is rounded', '2026-01-01T00:00:00.123999Z', '2026-01-01T00:00:00.124+00:00'],
  [true, 'the second time has no fraction', '2026-01-01T00:00:00.9Z', '2026-01-01T00:00:00Z'],
  [true, 'all nine digits are equal', '2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'],
  [true, 'the UTC offset differs', '2026-01-01T10:30:00+01:00', '2026-01-01T09:30:00Z'],
  [true, 'one fraction begins with a comma', '2025-12-31T22:15:00,5-0315', '2026-01-01T01:30:00.5Z'],
  [false, 'the milliseconds differ', '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.124Z'],
  [false, 'the seconds differ', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
  [false, 'the last of nine digits differs', '2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456788Z'],
  [false, 'only the UTC offset differs', '2026-01-01T10:30:00+01:00', '2026-01-01T10:30:00Z'],
  [false, 'the strings are not date-times', 'yesterday', 'yesterday'],
];
for (const [isSame, why, first, second] of SAME_INSTANTS)
  test(`isSameInstant is ${isSame} if ${why}`, () => assert.equal(isSameInstant(first, second), isSame));

test('toMilliseconds truncates to whole milliseconds, and returns NaN for a string that is not a date-time', () => {
  assert.equal(toMilliseconds('2026-01-01T00:00:17,9Z'), Date.UTC(2026, 0, 1, 0, 0, 17, 900));
  assert.equal(toMilliseconds('2026-01-01T01:00:00.123999+01:00'), Date.UTC(2026, 0, 1, 0, 0, 0, 123));
  assert.equal(toMilliseconds('2026-01-01T00:00:00Z'), Date.UTC(2026, 0, 1));
  for (const none of ['yesterday', 'undefined', '2026-01-01', '2026-13-01T00:00:00Z']) assert.ok(Number.isNaN(toMilliseconds(none)), none);
});
