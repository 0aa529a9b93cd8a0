import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

test('the tokens in the README name the address of the kit in the README', () => {
  const tokens = readFileSync('README.md', 'utf8').matchAll(/eyJ[\w-]+\.([\w-]+)\.[\w-]+/g);
  const claims = [...tokens].map(([, payload = '']) => Buffer.from(payload, 'base64url').toString());
  const hosts = claims.flatMap((text) => text.match(/127\.0\.0\.1:\d+/g) ?? []);
  assert.deepEqual(new Set(hosts), new Set(['127.0.0.1:4010']));
});
