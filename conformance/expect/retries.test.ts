import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from './event.ts';
import { type Attempts, isDecisive, isNothingAcknowledged, isRetried, isRetriedAlike } from './retries.ts';

const MS = 5000;
const sent = (...seconds: number[]): Delivery[] =>
  seconds.map((each) => ({ method: 'POST', headers: {}, text: '', json: undefined, at: each * 1000 }));

/**
 * Classifies a server by the deliveries of three events: one that failed in every attempt, one that was acknowledged with any status, and
 * one that was acknowledged with 204.
 */
function classify(failed: Delivery[], acknowledged: Delivery[], plain: Delivery[]) {
  const attempts: Attempts = { failed, others: [acknowledged, plain], ms: MS };
  if (!isRetried(attempts)) return isNothingAcknowledged(attempts) ? 'nothing is acknowledged' : 'shows nothing';
  if (!isRetriedAlike(attempts, acknowledged)) return 'is acknowledged';
  return isDecisive(attempts) ? 'is retried' : 'suspect';
}

const thrice = (all: Delivery[]): Parameters<typeof classify> => [all, all, all];
const ONCE = sent(0);
const THREE = sent(0, 0.2, 0.4);
const SCHEDULE = sent(0, 0.1, 0.3, 0.7);
const servers: [string, ReturnType<typeof classify>, ...Parameters<typeof classify>][] = [
  ['sends each event once, and retries the failing one', 'is acknowledged', SCHEDULE, ONCE, ONCE],
  ['repeats an acknowledged event by accident', 'is acknowledged', SCHEDULE, sent(0, 2), ONCE],
  ['retries an acknowledged event', 'is retried', SCHEDULE, SCHEDULE, ONCE],
  ['retries an acknowledged event, so far once', 'suspect', sent(0, 5), sent(0, 5), ONCE],
  ['sends some events twice, and has retried the failing one once', 'is acknowledged', sent(0, 5), sent(0, 0.8), ONCE],
  ['sends everything three times, and retries the failing event', 'is acknowledged', sent(0, 0.2, 0.4, 5, 5.2, 5.4), THREE, THREE],
  ['sends everything three times, and has retried nothing yet', 'shows nothing', ...thrice(THREE)],
  ['sends everything five times within half a second', 'shows nothing', ...thrice(sent(0, 0.1, 0.2, 0.3, 0.4))],
  ['sends everything twice and never again', 'shows nothing', ...thrice(sent(0, 2.5))],
  ['retries every event whatever the response is', 'nothing is acknowledged', ...thrice(sent(0, 0.1, 0.3, 0.7, 1.5, 3.1))],
];
for (const [what, expected, failed, acknowledged, plain] of servers)
  test(`The result for a server that ${what} is "${expected}"`, () => assert.equal(classify(failed, acknowledged, plain), expected));
