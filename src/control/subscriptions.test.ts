import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { startLab } from '../testing/event-lab.ts';

type Subscription = components['schemas']['SubscriptionInForce'];

const EVENT_TYPES = ['experience.connection.created', 'provisioning.user.created'];
const lab = await startLab({}, false);
after(() => lab.close());

async function call(method: string, path: string, body?: object) {
  const answered = await lab.control<Subscription>(method, `/subscriptions${path}`, body);
  if (answered) assert.deepEqual(getValidator(schemaReferences.responses.readSubscription[200])(answered), []);
  return answered;
}
const list = () => lab.control<Subscription[]>('GET', '/subscriptions');
const readWorld = () => lab.control<Record<string, object>>('GET', '/state/subscriptions');

test('/_control/state/subscriptions contains a created subscription with the same members', async () => {
  const created = await call('POST', '', { alias: 'mine', types: EVENT_TYPES, destinationUrl: lab.receiver.url, experience: 'desk' });
  const { alias, deliveries, health, ...entity } = created;
  assert.deepEqual([alias, entity.provider, entity.experience, entity.destinationUrl], ['mine', 'acme', 'desk', lab.receiver.url]);
  assert.deepEqual([entity.types, deliveries], [EVENT_TYPES, { pending: 0, acknowledged: 0, exhausted: 0, held: 0 }]);
  assert.deepEqual(health, { attempts: 0, acknowledged: 0, failing: 0 });
  assert.deepEqual((await readWorld()).mine, entity);
  assert.deepEqual([await call('GET', '/mine'), await call('GET', `/${entity.id}`), await list()], [created, created, [created]]);
});

test('reading a subscription returns its delivery mode and the number of deliveries in each state', async () => {
  await lab.control('PUT', '/subscriptions/mine/delivery-mode', { hold: true });
  await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
  const { deliveries, mode } = await call('GET', '/mine');
  assert.deepEqual([deliveries, mode], [{ pending: 0, acknowledged: 0, exhausted: 0, held: 1 }, { hold: true }]);
  await lab.control('POST', '/subscriptions/mine/release', {});
  await lab.settled();
  assert.equal((await call('GET', '/mine')).deliveries.acknowledged, 1);
});

test('a deleted subscription is not found', async () => {
  await lab.control('DELETE', '/subscriptions/mine');
  assert.deepEqual([await list(), await readWorld()], [[], {}]);
  for (const method of ['GET', 'DELETE']) await assert.rejects(call(method, '/mine'), /404.*There is no subscription/);
});

test('a new subscription has all event types, and belongs to the only provider, or to the provider of the first ready-made token', async () => {
  const { provider, types } = await call('POST', '', {});
  assert.deepEqual([provider, types], ['acme', eventTypes]);
  await lab.control('POST', '/state/providers', { alias: 'globex', name: 'Globex' });
  await assert.rejects(call('POST', '', {}), /The subscribing provider is missing\. Choose one of the providers: acme, globex\./);
  const world = await lab.control<object>('GET', '/state');
  await lab.control('PUT', '/state', {
    ...world,
    clients: { web: { name: 'Web', provider: 'globex' } },
    tokens: { full: { client: 'web' } },
  });
  assert.equal((await call('POST', '', {})).provider, 'globex');
});
