import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Results } from '../../contract/generated/results.ts';
import { startReceiver } from '../../events/testing/receiver.ts';
import { createKit, type Kit } from '../../kit.ts';
import { useService } from '../../testing/recorded-traffic.ts';
import type { Call } from '../client/call.ts';
import { readCalls } from '../client/journal.ts';
import { judgeService, serviceJudges } from './judge.ts';
import { bodyOf, EVENT_BREACHES } from './testing/event-breaches.ts';

const judge = (calls: readonly Call[]): Results => judgeService({ calls, url: 'http://service.example' });
const listRules = ({ rules }: Results, ...verdicts: readonly string[]): string[] =>
  rules.flatMap(({ id, verdict }) => (id.startsWith('events.') && verdicts.includes(verdict) ? id : [])).sort();
const describeFailures = ({ rules }: Results): string =>
  rules
    .flatMap(({ cells }) => Object.values(cells).flatMap(({ checks }) => checks.flatMap(({ failure }) => failure?.message ?? [])))
    .join('\n');

/** Uses a kit through a proxy that passes the kit's deliveries on to an endpoint, which refuses the first one. */
async function recordDeliveries(): Promise<readonly Call[]> {
  await using kit = await createKit({ port: 0, login: 'auto', retries: 'fast' });
  const endpoint = await startReceiver();
  endpoint.answerWith((response) => void response.writeHead(endpoint.received.length === 1 ? 500 : 204).end());
  await using proxy = await createKit(
    { port: 0, upstream: { api: kit.url, auth: kit.authUrl, events: { events: endpoint.url } } },
    { journalCapacity: 20_000 },
  );
  for (const { alias } of (await kit.control.GET('/_control/subscriptions')).data)
    await kit.control.DELETE('/_control/subscriptions/{subscriptionId}', { params: { path: { subscriptionId: alias } } });
  await kit.subscribe(`${proxy.url}/hooks/events`, { provider: 'acme' });
  await useService({ ...kit, url: proxy.url } as Kit);
  await kit.trigger('provisioning.user.created');
  await kit.clock.advance('1m');
  await endpoint.close();
  return (await readCalls(proxy.control)).calls;
}

let calls: readonly Call[] = [];
before(async () => {
  calls = await recordDeliveries();
});

test('correct deliveries break no rule, and show most rules about events', () => {
  const results = judge(calls);
  assert.equal(describeFailures(results), '');
  const shown = listRules(results, 'passed');
  // Whether the repeat is sent in a later second than the first delivery depends on the time of the day.
  const judged = Object.keys(serviceJudges).filter((id) => id.startsWith('events.') && !id.endsWith('webhook-timestamp-of-repeat'));
  assert.deepEqual(judged.filter((id) => !shown.includes(id)).sort(), [
    'events.assignment.created.of-user',
    'events.delivery.retries-redirects',
    'events.delivery.retries-unanswered',
    'events.envelope.subscription-id',
    'events.provisioning.data.of-user',
    'events.provisioning.data.updated-at-grows',
  ]);
});

test('without deliveries, rules about events are reported only if they are selected', () => {
  const without = calls.filter(({ path }) => !path.startsWith('/hooks/'));
  assert.deepEqual(listRules(judge(without), 'not-exercised', 'passed', 'failed'), []);
  const selected = judgeService({ calls: without, url: 'http://service.example', rules: ['events.delivery.post'] });
  assert.deepEqual(listRules(selected, 'not-exercised'), ['events.delivery.post']);
});

test('a request that is no delivery shows nothing', () => {
  const [first] = calls.filter(({ path }) => path.startsWith('/hooks/'));
  const empty = { ...first!, request: { headers: {} } };
  assert.deepEqual(listRules(judge([empty]), 'passed', 'failed'), []);
});

describe('a change of one delivery breaks a rule', () => {
  for (const [name, find, change, ...breaks] of EVENT_BREACHES)
    test(name, () => {
      const target = calls.find((call) => find(call, bodyOf(call), calls));
      assert.ok(target, 'no such delivery');
      const changed = structuredClone(target) as Call & { request: { headers: Record<string, string> } };
      change({ call: changed as never, headers: changed.request.headers, body: bodyOf(changed) }, calls);
      const results = judge(calls.map((call) => (call === target ? changed : call)));
      assert.deepEqual(listRules(results, 'failed'), breaks.map((rule) => `events.${rule}`).sort(), describeFailures(results));
    });
});
