import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit, type ProviderEvent } from '../kit.ts';

test('kit.findings returns the documented rules that the calls break', async () => {
  await using kit = await createKit({ port: 0 });
  const headers = { authorization: `Bearer ${await kit.mint()}` };
  const listAssignments = (number: string) => fetch(`${kit.url}/experience/connections?${number}=%2B12065550100`, { headers });
  await listAssignments('telephoneNumber');
  assert.deepEqual(await kit.findings(), []);
  await listAssignments('tn');
  const levels = ['documented', 'implied', 'advice'] as const;
  const [finding] = await kit.findings({ levels });
  assert.match(finding?.message ?? '', /telephoneNumber/);
  assert.match(finding?.timeline.at(-1) ?? '', /^> #2 GET \/experience\/connections\?tn=/);
});

test('kit.findings ignores requests from kit.login', async () => {
  await using kit = await createKit({ port: 0 });
  for (const hint of ['+12065550100', '+12065550100', '+12065550100', '+12065550100']) {
    const { accessToken } = await kit.login({ hint });
    await fetch(`${kit.url}/users/2065550001`, { headers: { authorization: `Bearer ${accessToken}` } });
    await fetch(`${kit.url}/users/2065550001`, { headers: { authorization: `Bearer ${await kit.mint()}` } });
  }
  assert.deepEqual(await kit.findings({ levels: ['documented', 'implied', 'advice'] }), []);
});

test('kit.findings rejects if requests were removed from the journal', async () => {
  await using kit = await createKit({ port: 0 });
  await fetch(`${kit.url}/users/1`);
  await kit.control.DELETE('/_control/requests');
  await fetch(`${kit.url}/users/1`);
  await assert.rejects(kit.findings(), /^Error: 1 requests were removed from the journal.*cleared/);
});

test('kit.checkWebhook finds a consumer that does not compare updatedAt, and lists the untested rules', {
  timeout: 60_000,
}, async () => {
  await using kit = await createKit({ port: 0 });
  const connections: Record<string, { state: 'ACTIVE' | 'INACTIVE' | null } | null> = {};
  const consume = (event: ProviderEvent) => {
    if (!('connectionId' in event.data)) return;
    const states = { activated: 'ACTIVE', deactivated: 'INACTIVE', created: null } as const;
    const change = event.type.split('.')[2] as keyof typeof states | 'deleted';
    connections[event.data.connectionId] = change === 'deleted' ? null : { state: states[change] };
  };
  const report = await kit.checkWebhook({ url: consume, state: () => ({ connections }), settleMs: 50 });
  assert.ok(
    report.findings.some(({ rule }) => rule === 'events.consumer.discards-older'),
    JSON.stringify(report.findings, undefined, 1),
  );
  assert.ok(report.untested.some(({ reason }) => reason.includes('--restart')));
});

test("kit.checkWebhook pauses the endpoint's subscriptions during the check", async () => {
  await using kit = await createKit({ port: 0 });
  const subscription = await kit.subscribe(() => {});
  await kit.checkWebhook({ url: subscription.url, rules: ['events.consumer.discards-older'] });
  assert.ok(subscription.received.length > 0);
  const listOwnEvents = () => subscription.received.filter(({ event }) => event.subscriptionId === subscription.id);
  assert.deepEqual(listOwnEvents(), []);
  await kit.state.add('users', { account: 'northwind' });
  await kit.settled();
  assert.equal(listOwnEvents().length, 1);
});

test('kit.checkWebhook refuses an unknown rule and suggests the nearest one', async () => {
  await using kit = await createKit({ port: 0 });
  const rules = ['events.consumer.discard-older'] as never;
  await assert.rejects(kit.checkWebhook({ url: () => {}, rules }), {
    name: 'UsageError',
    message: /Did you mean "events\.consumer\.discards-older"\?/,
  });
});
