import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable } from './tour/normal.ts';
import { checkTour } from './tour.ts';

test('every command of the README prints what the README shows', async () => {
  const differences = await checkTour();
  assert.deepEqual(differences, []);
});

test('only what differs from run to run is left out of the comparison', () => {
  assert.equal(comparable('{"status":409,"traceId":"0123456789abcdef0123456789abcdef"}'), '{"status":409,"traceId":"<trace>"}');
  assert.notEqual(comparable('{"status":409}'), comparable('{"status":422}'));
});
