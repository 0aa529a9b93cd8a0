import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countAttempts, getNextPause, RETRY_PROFILES } from './schedule.ts';

const noJitter = () => 0;
const fullJitter = () => 1;
const NOW = Date.parse('2026-01-01T00:00:00Z');

for (const profile of RETRY_PROFILES) {
  test(`${profile}: no pause is shorter than the previous pause, and the number of pauses is finite`, () => {
    const pauses = Array.from({ length: countAttempts(profile) }, (_, index) =>
      getNextPause(profile, { attempts: index + 1, now: NOW }, noJitter),
    );
    const given = pauses.filter((pause) => pause !== undefined);
    assert.deepEqual(
      given,
      [...given].sort((a, b) => a - b),
    );
    assert.deepEqual(pauses.indexOf(undefined), pauses.length - 1);
  });
}

test('Retry-After can make a pause longer, up to an hour, but never shorter', () => {
  const getPause = (retryAfter: string) => getNextPause('standard', { attempts: 1, retryAfter, now: NOW }, noJitter);
  assert.deepEqual(
    ['1', '60', '999999', 'Thu, 01 Jan 2026 00:02:00 GMT', 'Wed, 31 Dec 2025 00:00:00 GMT', 'soon', '-5'].map(getPause),
    [5000, 60_000, 3_600_000, 120_000, 5000, 5000, 5000],
  );
});

test('jitter adds at most a tenth of the pause', () => {
  assert.equal(getNextPause('standard', { attempts: 1, now: NOW }, fullJitter), 5500);
  assert.equal(getNextPause('standard', { attempts: 1, retryAfter: '60', now: NOW }, fullJitter), 60_500);
});
