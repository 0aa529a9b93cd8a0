import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { createKit } from '../kit.ts';
import { exampleRows } from '../store/testing/rows.ts';
import { startLab } from '../testing/event-lab.ts';
import { callControl } from './testing/call.ts';

type Schemas = components['schemas'];

const lab = await startLab();
await lab.control('POST', '/subscriptions', { alias: 'users', types: ['provisioning.user.created'] });
await lab.control('POST', '/state/connections', { alias: 'first', account: 'north', experience: 'desk' });
await lab.control('POST', '/state/connections', { alias: 'second', account: 'south', experience: 'desk' });
await lab.settled();
after(() => lab.close());

const list = (query = '') => lab.control<Schemas['EventWithDeliveries'][]>('GET', `/events${query}`);

test('events are listed newest first with their deliveries, in pages, and can be filtered by type and entity', async () => {
  const all = await list();
  assert.deepEqual(
    all.map(({ entityId }) => entityId),
    [await lab.getId('connections', 'second'), await lab.getId('connections', 'first')],
  );
  for (const { deliveries } of all)
    assert.deepEqual(
      deliveries.map(({ subscription, state }) => [subscription, state]),
      [['all', 'acknowledged']],
    );
  assert.deepEqual(await list('?entity=first'), [all[1]]);
  assert.deepEqual(await list('?limit=1'), [all[0]]);
  assert.deepEqual(await list(`?before=${all[0]!.id}`), [all[1]]);
  assert.deepEqual(await list('?type=provisioning.user.created'), []);
});

test('events can be filtered by the state of their deliveries and by subscription, and a subscription reports how its receiver responds', async () => {
  assert.deepEqual([await list('?state=failing'), await list('?subscription=users')], [[], []]);
  assert.equal((await list('?subscription=all&state=acknowledged')).length, 2);
  lab.receiver.answerWith(500);
  await lab.control('PATCH', '/state/connections/first', { state: 'ACTIVE' });
  await lab.settled();
  const [failing, ...others] = await list('?subscription=all&state=failing');
  assert.deepEqual([failing?.type, others], ['experience.connection.activated', []]);
  const { health } = await lab.control<Schemas['SubscriptionInForce']>('GET', '/subscriptions/all');
  const { lastAttempt, failingSince, nextAttemptAt, ...counts } = health;
  assert.deepEqual([counts, lastAttempt?.status], [{ attempts: 3, acknowledged: 2, failing: 1 }, 500]);
  assert.deepEqual([failingSince, nextAttemptAt], [lastAttempt?.at, failing?.deliveries[0]?.nextAttemptAt]);
  lab.receiver.answerWith(204);
  await lab.control('POST', '/subscriptions/all/recover', { since: '1970-01-01T00:00:00Z' });
  await lab.settled();
  assert.deepEqual(await list('?state=failing'), []);
});

test('an event lists the result for each subscription, and a delivery reports whether its body matches the contract', async () => {
  const [{ id }] = (await list()) as [Schemas['EventWithDeliveries']];
  const { subscriptions, deliveries } = await lab.control<Schemas['EventInDetail']>('GET', `/events/${id}`);
  assert.deepEqual(
    subscriptions.map(({ subscription, result }) => [subscription, result]),
    [
      ['all', 'acknowledged'],
      ['users', 'type-not-listed'],
    ],
  );
  const delivery = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${deliveries[0]!.id}`);
  assert.deepEqual([delivery.eventId, delivery.errors], [id, []]);
});

test("if a delivery's body does not match the contract, the delivery lists the invalid members", async () => {
  const body = { type: 'experience.connection.created', data: 1 };
  const { id } = await lab.control<Schemas['Delivery']>('POST', '/events/raw', { subscription: 'all', body, allowInvalid: true });
  const { errors } = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${id}`);
  assert.ok(
    errors.some(({ pointer }) => pointer === '/data'),
    JSON.stringify(errors),
  );
});

test('a list of 50 events contains the deliveries to all of 257 subscriptions', async () => {
  await using kit = await createKit({ port: 0 });
  const { db } = kit.store;
  const event = { ...exampleRows.events, type: 'provisioning.user.created', data: '{}' };
  for (let n = 100; n < 150; n++) {
    const id = `event-${n}`;
    await db
      .insertInto('events')
      .values({ ...event, id })
      .execute();
    const row = { ...exampleRows.deliveries, event_id: id, state: 'exhausted' } as const;
    const rows = Array.from({ length: 257 }, (_, index) => ({ ...row, id: `${id}-${index}`, subscription_id: `${index}` }));
    await db.insertInto('deliveries').values(rows).execute();
  }
  const listed = await callControl<Schemas['EventWithDeliveries'][]>(kit.url, 'GET', '/events');
  assert.deepEqual(new Set(listed.body.map(({ deliveries }) => deliveries.length)), new Set([257]));
});
