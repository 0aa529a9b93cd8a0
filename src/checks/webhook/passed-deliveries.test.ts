import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Call } from '../client/call.ts';
import { findDeliveries } from '../service/deliveries.ts';
import { judgeDeliveries } from './passed-deliveries.ts';

const ID = '019b76da-a800-732d-b751-870086da46de';
const EVENT = {
  ...{ type: 'provisioning.user.created', timestamp: '2026-03-01T12:00:00Z', subscriptionId: ID, scope: { experienceId: ID } },
  data: { userId: ID, accountId: ID, updatedAt: '2026-03-01T12:00:00Z' },
};

interface Passed {
  readonly status?: number | undefined;
  readonly ms?: number;
  readonly body?: object;
  readonly id?: string;
  readonly problem?: string;
}

const toCall = ({ status, ms = 5, body = EVENT, id = 'event-1', problem }: Passed, index: number): Call => ({
  ...{ number: index + 1, traceId: 'a'.repeat(32), at: '2026-03-01T12:00:00.000Z', arrivedMs: index * 60_000, durationMs: ms },
  ...{ door: 'service' as const, method: 'POST', path: '/hooks/events' },
  ...(status !== undefined && { status }),
  ...(problem === undefined ? { step: 'forward' } : { problem: { type: `/problems/${problem}`, title: 'Problem' } }),
  request: { headers: { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': '1772366400' }, body },
});
const judge = (...passed: readonly Passed[]): string[] =>
  judgeDeliveries(findDeliveries(passed.map(toCall), 'http://proxy.example')).map(
    ({ rule, verdict }) => `${rule.split('.').at(-1)} ${verdict}`,
  );

const IN_TIME = 'answers-in-time passed';
const ACCEPTED = 'accepts-json-post passed';
const ACKNOWLEDGED = 'acknowledges-with-2xx passed';

describe('what the answers of an endpoint show', () => {
  for (const [title, passed, ...expected] of [
    ['a 2xx follows the rules', [{ status: 204 }], IN_TIME, ACCEPTED, ACKNOWLEDGED],
    ['a 500 and a later 2xx follow the rules', [{ status: 500 }, { status: 200 }], IN_TIME, ACCEPTED, ACKNOWLEDGED],
    ['one 503 shows nothing about acknowledgements', [{ status: 503 }], IN_TIME],
    ['three failures of one event break the rule', [500, 500, 503].map((status) => ({ status })), IN_TIME, 'acknowledges-with-2xx failed'],
    ['a redirect breaks the rule', [{ status: 302 }], IN_TIME, 'acknowledges-with-2xx failed'],
    ['a 415 is about the content type', [{ status: 415 }], IN_TIME, 'accepts-json-post failed'],
    ['an invalid event may be refused', [{ status: 400, body: { ...EVENT, data: {} } }], IN_TIME],
    [
      'an unknown type should be acknowledged',
      [{ status: 400, body: { ...EVENT, type: 'a.b.c' } }],
      IN_TIME,
      'accepts-unknown-types failed',
    ],
    ['17 s are too long', [{ status: 204, ms: 17_000 }], 'answers-in-time failed', ACCEPTED, ACKNOWLEDGED],
    ['15.5 s are about 15 s', [{ status: 204, ms: 15_500 }], ACCEPTED, ACKNOWLEDGED],
    ['no answer within 20 s is too long', [{ ms: 20_000 }], 'answers-in-time failed'],
    ['the proxy timed out after 30 s', [{ status: 504, ms: 30_000, problem: 'proxy.timeout' }], 'answers-in-time failed'],
    ['a proxy without an endpoint shows nothing', [{ status: 404, problem: 'proxy.unknown-hook' }]],
  ] as readonly [string, readonly Passed[], ...string[]][])
    test(title, () => assert.deepEqual(judge(...passed), expected));
});
