import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { type Lab, startLab } from '../testing/event-lab.ts';
import { countAttempts } from './schedule.ts';
import { startReceiver } from './testing/receiver.ts';

type Schemas = components['schemas'];

const createConnection = (lab: Lab) =>
  lab.control<{ id: string }>('POST', '/state/connections', { account: 'north', experience: 'desk', state: 'INACTIVE' });
const waitForEvents = (lab: Lab, filter: Partial<Schemas['DeliveryWait']>) =>
  lab.control<Schemas['Delivery'][]>('POST', '/deliveries/wait', filter);

test('an unacknowledged delivery is repeated with the same event at every time in the retry schedule, even if the subscription changes', async () => {
  const lab = await startLab();
  try {
    lab.receiver.answerWith(500);
    await createConnection(lab);
    // Changes to a subscription do not affect its existing deliveries.
    await lab.control('PATCH', '/state/subscriptions/all', { types: ['provisioning.user.created'] });
    const { attempts, pending } = await lab.control<Schemas['Advanced']>('POST', '/clock/advance', { by: '3d' });
    const received = lab.receiver.received;
    assert.equal(received.length, countAttempts('standard'));
    assert.equal(new Set(received.map(({ text }) => text)).size, 1);
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
    const sent = received.map(({ headers }) => Number(headers['webhook-timestamp']));
    assert.deepEqual(sent, [...new Set(sent)].sort());
    assert.deepEqual([attempts.at(-1)?.state, pending], ['exhausted', 0]);

    lab.receiver.answerWith(204);
    const [{ id }] = (await lab.deliveries()) as [Schemas['Delivery']];
    await lab.control('POST', `/deliveries/${id}/redeliver`);
    await lab.control('POST', '/clock/advance', { by: '30d' });
    const { state, attemptLog } = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${id}`);
    const statuses = attemptLog.map(({ number, status }) => [number, status]);
    assert.deepEqual([state, received.length, statuses.at(-1)], ['acknowledged', sent.length + 1, [sent.length + 1, 204]]);
  } finally {
    await lab.close();
  }
});

test('a reset drops all deliveries, including a delivery in flight', async () => {
  const lab = await startLab();
  try {
    const inFlight = Promise.withResolvers<ServerResponse>();
    lab.receiver.answerWith(inFlight.resolve);
    await createConnection(lab);
    const response = await inFlight.promise;
    await lab.control('POST', '/reset', { to: 'seed' });
    response.writeHead(204).end();
    await lab.settled();
    assert.deepEqual(await lab.deliveries(), []);
  } finally {
    await lab.close();
  }
});

test('a subscriber that never responds does not delay other subscribers', async () => {
  const lab = await startLab();
  const slow = await startReceiver();
  const responders: (() => void)[] = [];
  slow.answerWith((response) => void responders.push(() => response.writeHead(204).end()));
  try {
    await lab.control('POST', '/state/subscriptions', {
      provider: 'acme',
      types: ['provisioning.user.created'],
      destinationUrl: slow.url,
    });
    await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
    for (let user = 0; user < 40; user++) await lab.control('POST', '/state/users', { account: 'north' });
    // One assignment and 40 users cause 41 events, and the fast receiver gets all of them before the slow receiver does.
    await lab.receiver.atLeast(41);
    assert.ok(slow.received.length < 41);
  } finally {
    slow.answerWith(204);
    for (const respond of responders) respond();
    await lab.close();
    await slow.close();
  }
});

test('a delivery is retried on time while a subscriber does not respond', async () => {
  const lab = await startLab({ retries: 'fast' });
  const silent = await startReceiver();
  const silentAttempt = Promise.withResolvers<ServerResponse>();
  silent.answerWith(silentAttempt.resolve);
  lab.receiver.answerWith(async (response) => {
    const isRetry = lab.receiver.received.length > 1;
    await silentAttempt.promise;
    response.writeHead(isRetry ? 204 : 500).end();
  });
  try {
    await lab.control('POST', '/state/subscriptions', { provider: 'acme', types: eventTypes, destinationUrl: silent.url });
    await createConnection(lab);
    const [delivery] = await waitForEvents(lab, { subscription: 'all' });
    assert.deepEqual([delivery?.attempts, silent.received.length], [2, 1]);
  } finally {
    (await silentAttempt.promise).end();
    await lab.close();
    await silent.close();
  }
});

test('if a kit closes during a delivery attempt, the next kit with the data file delivers the event, even without retries', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deliveries-'));
  const settings = { data: join(folder, 'world.db'), retries: 'off' } as const;
  const first = await startLab(settings);
  first.receiver.answerWith(() => {});
  const { id } = await createConnection(first);
  await first.receiver.atLeast(1);
  await first.kit.close();
  first.receiver.answerWith(204);
  const second = await startLab(settings, false);
  try {
    const [delivery] = await waitForEvents(second, { entityId: id });
    assert.deepEqual([delivery?.state, delivery?.attempts], ['acknowledged', 1]);
    assert.equal(new Set(first.receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  } finally {
    await second.close();
    await first.receiver.close();
    await rm(folder, { recursive: true });
  }
});

test('each event is delivered by exactly one of two replicas on one PostgreSQL database, and both replicas deliver some events', async () => {
  const database = await createDatabase();
  const one = await startLab({ database, retries: 'fast' });
  const two = await startLab({ database, retries: 'fast' }, false);
  try {
    await one.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).control('POST', '/state/users', { account: 'north' })),
    );
    const delivered = await waitForEvents(one, { count: 61, timeoutMs: 20_000 });
    assert.equal(delivered.length, 61);
    const ids = one.receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(ids.length, new Set(ids).size);
    assert.equal(ids.length, 61);
  } finally {
    await two.close();
    await one.close();
  }
});
