import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announceJudging } from './announce-judging.ts';

test('before many requests are judged, xpk prints how long it takes', ({ mock }) => {
  const print = mock.method(console, 'error', () => {});
  announceJudging(new Array(9999));
  announceJudging(new Array(100_000));
  assert.deepEqual(
    print.mock.calls.map(({ arguments: [text] }) => text),
    ['Judging 100,000 requests takes about 50 seconds.'],
  );
});
