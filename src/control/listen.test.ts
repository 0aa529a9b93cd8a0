import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { LISTENER_URL } from '../events/relay.ts';
import { createKit } from '../kit.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { startLab } from '../testing/event-lab.ts';
import { openProxy } from '../testing/proxy.ts';
import { callControl } from './testing/call.ts';
import { openEventSource } from './testing/event-source.ts';

type Schemas = components['schemas'];
type Lab = Awaited<ReturnType<typeof startLab>>;

const listen = async (url: string, name = 'all') => {
  const source = await openEventSource(`${url}/_control/subscriptions/${name}/listen`);
  await source.next('listening');
  return {
    ...source,
    nextDelivery: async () => (await source.next('delivery')).data as unknown as Schemas['ListenedDelivery'],
    answer: (attemptId: string, body: Schemas['ListenerAnswer']) =>
      callControl(url, 'POST', `/subscriptions/${name}/listen/${attemptId}`, body),
  };
};
const assign = ({ control }: Lab) =>
  control<{ id: string }>('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
const waitFor = async ({ control }: Lab, state: Schemas['DeliveryState']) => {
  const [delivery] = await control<Schemas['Delivery'][]>('POST', '/deliveries/wait', { state });
  return control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${delivery!.id}`);
};
const describeAttempts = ({ attemptLog }: Schemas['DeliveryWithAttempts']) => attemptLog.map(({ status, error }) => status ?? error);

test('a listener gets a delivery instead of the destination, and its status is that of the attempt', async () => {
  await using lab = await startLab({ retries: 'fast' });
  const listener = await listen(lab.kit.url);
  const { id } = await assign(lab);
  const first = await listener.nextDelivery();
  const body = Buffer.from(first.body, 'base64').toString();
  assert.equal((JSON.parse(body) as { data: { assignmentId: string } }).data.assignmentId, id);
  assert.deepEqual([first.headers['content-type'], first.timeoutMs], ['application/json', 15_000]);
  assert.equal((await listener.answer(first.attemptId, { status: 500 })).status, 204);
  const repeat = await listener.nextDelivery();
  assert.deepEqual([repeat.headers['webhook-id'], repeat.body], [first.headers['webhook-id'], first.body]);
  await listener.answer(repeat.attemptId, { error: 'connection refused' });
  const last = await listener.nextDelivery();
  await listener.answer(last.attemptId, { status: 202 });
  assert.deepEqual(describeAttempts(await waitFor(lab, 'acknowledged')), [500, 'connection refused', 202]);
  assert.equal((await listener.answer(last.attemptId, { status: 500 })).status, 204);
  assert.equal(lab.receiver.received.length, 0);
  await listener.close();
});

test('if a listener disconnects before it answers, the attempt fails, and the next listener gets the repeat', async () => {
  await using lab = await startLab({ retries: 'fast' });
  await lab.control('PATCH', '/subscriptions/all', { destinationUrl: LISTENER_URL });
  const [older, newer] = [await listen(lab.kit.url), await listen(lab.kit.url)];
  await older.next('replaced');
  await assign(lab);
  const first = await newer.nextDelivery();
  await newer.close();
  await older.next('listening');
  const repeat = await older.nextDelivery();
  assert.equal(repeat.headers['webhook-id'], first.headers['webhook-id']);
  await older.answer(repeat.attemptId, { status: 204 });
  assert.deepEqual(describeAttempts(await waitFor(lab, 'acknowledged')), ['the listener disconnected before it answered', 204]);
  await older.close();
});

test('without a listener, an attempt to the destination of listeners fails with a reason', async () => {
  await using lab = await startLab({ retries: 'off' });
  await lab.control('PATCH', '/subscriptions/all', { destinationUrl: LISTENER_URL });
  await assign(lab);
  assert.deepEqual(describeAttempts(await waitFor(lab, 'exhausted')), ['no listener is connected; start one with xpk listen']);
});

test('a listener that does not answer is a timeout', async () => {
  await using lab = await startLab({ retries: 'off', deliveryTimeout: 50 });
  const listener = await listen(lab.kit.url);
  await assign(lab);
  await listener.nextDelivery();
  assert.deepEqual(describeAttempts(await waitFor(lab, 'exhausted')), ['timeout after 50 ms']);
  await listener.close();
});

test('a subscription without a destination refuses listeners, because its inbox gets the deliveries', async () => {
  await using lab = await startLab();
  await lab.control('PATCH', '/subscriptions/all', { destinationUrl: null });
  const { status, body } = await callControl<{ detail: string }>(lab.kit.url, 'GET', '/subscriptions/all/listen');
  assert.equal(status, 409);
  assert.match(body.detail, /^The subscription "all" has no destination/);
  await lab.control('PATCH', '/subscriptions/all', { destinationUrl: LISTENER_URL });
  await (await listen(lab.kit.url)).close();
});

test('the stream ends when its subscription is deleted, and an unknown name is refused', async () => {
  await using lab = await startLab();
  const listener = await listen(lab.kit.url);
  await lab.control('DELETE', '/subscriptions/all');
  await listener.waitForEnd();
  for (const [method, path] of [
    ['GET', '/subscriptions/al/listen'],
    ['POST', '/subscriptions/al/listen/x'],
  ] as const) {
    const { status, body } = await callControl<{ detail: string }>(
      lab.kit.url,
      method,
      path,
      method === 'POST' ? { status: 204 } : undefined,
    );
    assert.deepEqual([status, body.detail.slice(0, 36)], [404, 'There is no subscription "al". List ']);
  }
});

test('several replicas refuse listeners, because any of them may send a delivery', async () => {
  const settings = { port: 0, database: await createDatabase(), logLevel: 'silent' } as const;
  await using one = await createKit(settings);
  await callControl(one.url, 'POST', '/subscriptions', { alias: 'mine', provider: 'acme', destinationUrl: LISTENER_URL });
  await (await listen(one.url, 'mine')).close();
  await using two = await createKit(settings);
  const { status, body } = await callControl<{ detail: string }>(two.url, 'GET', '/subscriptions/mine/listen');
  assert.equal(status, 409);
  assert.match(body.detail, /^2 replicas share this kit's database/);
});

test("at a proxy, a listener gets the service's deliveries to a receiver, and the service gets the answer", async (t) => {
  const { url, waitForEntry } = await openProxy(t, { upstream: { api: 'http://127.0.0.1:1' } });
  const hook = `${url}/hooks/events`;
  const bytes = Buffer.from([0xff, 0x00, 0x7b]);
  const deliver = (body: Uint8Array) =>
    fetch(hook, { method: 'POST', headers: { 'Webhook-Id': 'event-1', authorization: 'Bearer sent-secret-value' }, body });
  assert.equal((await deliver(bytes)).status, 404);
  const listener = await listen(url, 'events');
  const delivering = deliver(bytes);
  const { attemptId, body, headers } = await listener.nextDelivery();
  assert.deepEqual([Buffer.from(body, 'base64'), headers['Webhook-Id']], [bytes, 'event-1']);
  await listener.answer(attemptId, { status: 503, retryAfter: '7' });
  const answered = await delivering;
  assert.deepEqual([answered.status, answered.headers.get('retry-after')], [503, '7']);
  const again = deliver(Buffer.from('{}'));
  await listener.answer((await listener.nextDelivery()).attemptId, { error: 'connection refused' });
  const failed = await again;
  assert.deepEqual(
    [failed.status, ((await failed.json()) as { detail: string }).detail],
    [502, 'No answer from xpk listen: connection refused.'],
  );
  assert.equal((await deliver(Buffer.alloc(1_000_001))).status, 413);
  await listener.close();
  const entry = await waitForEntry('/hooks/events');
  assert.doesNotMatch(JSON.stringify(entry), /sent-secret-value/);
  assert.equal((await callControl(url, 'GET', '/subscriptions/No.Name/listen')).status, 400);
});
