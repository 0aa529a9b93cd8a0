import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '../../src/expect/event.ts';
import { type Attempts, isEveryEventRetried, isFailingEventRetried, isRetriedLikeFailingEvent, isRetryProven } from './retries.ts';

const WAIT_MS = 5000;
const createDeliveries = (...seconds: number[]): Delivery[] =>
  seconds.map((each) => ({ method: 'POST', headers: {}, text: '', json: undefined, at: each * 1000 }));

function classifyServer(failed: Delivery[], answeredWith2xx: Delivery[], answeredWith204: Delivery[]) {
  const attempts: Attempts = { failed, others: [answeredWith2xx, answeredWith204], ms: WAIT_MS };
  if (!isFailingEventRetried(attempts)) return isEveryEventRetried(attempts) ? 'nothing is acknowledged' : 'shows nothing';
  if (!isRetriedLikeFailingEvent(attempts, answeredWith2xx)) return 'is acknowledged';
  return isRetryProven(attempts) ? 'is retried' : 'suspect';
}

const repeatThreeTimes = (all: Delivery[]): Parameters<typeof classifyServer> => [all, all, all];
const DELIVERED_ONCE = createDeliveries(0);
const DELIVERED_THREE_TIMES = createDeliveries(0, 0.2, 0.4);
const RETRIED_BY_SCHEDULE = createDeliveries(0, 0.1, 0.3, 0.7);
const servers: [string, ReturnType<typeof classifyServer>, ...Parameters<typeof classifyServer>][] = [
  ['retries only the failing event', 'is acknowledged', RETRIED_BY_SCHEDULE, DELIVERED_ONCE, DELIVERED_ONCE],
  ['repeats an acknowledged event by accident', 'is acknowledged', RETRIED_BY_SCHEDULE, createDeliveries(0, 2), DELIVERED_ONCE],
  ['retries an acknowledged event', 'is retried', RETRIED_BY_SCHEDULE, RETRIED_BY_SCHEDULE, DELIVERED_ONCE],
  ['has retried an acknowledged event once so far', 'suspect', createDeliveries(0, 5), createDeliveries(0, 5), DELIVERED_ONCE],
  [
    'repeats an acknowledged event within a second, and retries the failing event after five seconds',
    'is acknowledged',
    createDeliveries(0, 5),
    createDeliveries(0, 0.8),
    DELIVERED_ONCE,
  ],
  [
    'sends every event three times within half a second, and retries only the failing event',
    'is acknowledged',
    createDeliveries(0, 0.2, 0.4, 5, 5.2, 5.4),
    DELIVERED_THREE_TIMES,
    DELIVERED_THREE_TIMES,
  ],
  ['sends every event five times within half a second', 'shows nothing', ...repeatThreeTimes(createDeliveries(0, 0.1, 0.2, 0.3, 0.4))],
  ['sends every event twice and never again', 'shows nothing', ...repeatThreeTimes(createDeliveries(0, 2.5))],
  [
    'retries every event, whatever the response',
    'nothing is acknowledged',
    ...repeatThreeTimes(createDeliveries(0, 0.1, 0.3, 0.7, 1.5, 3.1)),
  ],
];
for (const [what, expected, ...deliveries] of servers)
  test(`the result for a server that ${what} is "${expected}"`, () => assert.equal(classifyServer(...deliveries), expected));
