import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { type Lab, startLab } from '../testing/event-lab.ts';

type Subscription = components['schemas']['SubscriptionInForce'];

const EVENT_TYPES = ['experience.connection.created', 'provisioning.user.created'];
let lab: Lab;
before(async () => {
  lab = await startLab({}, false);
});
after(() => lab.close());

async function call(method: string, path: string, body?: object) {
  const answered = await lab.control<Subscription>(method, `/subscriptions${path}`, body);
  if (answered) assert.deepEqual(getValidator(schemaReferences.responses.readSubscription[200])(answered), []);
  return answered;
}
const list = () => lab.control<Subscription[]>('GET', '/subscriptions');
const readWorld = () => lab.control<Record<string, object>>('GET', '/state/subscriptions');

test('/_control/state/subscriptions contains a created subscription', async () => {
  const created = await call('POST', '', { alias: 'mine', types: EVENT_TYPES, destinationUrl: lab.receiver.url, experienceId: 'desk' });
  const { subscriptionId, deliveries, deliveryMode, experienceId, destinationUrl, types, secret } = created;
  assert.deepEqual([experienceId, destinationUrl, types], [await lab.getId('experiences', 'desk'), lab.receiver.url, EVENT_TYPES]);
  assert.deepEqual([deliveries, deliveryMode], [{ pending: 0, acknowledged: 0, exhausted: 0, held: 0 }, null]);
  const kept = { provider: 'acme', experience: 'desk', types: EVENT_TYPES, destinationUrl: lab.receiver.url, secret, id: subscriptionId };
  assert.deepEqual((await readWorld()).mine, kept);
  assert.deepEqual([await call('GET', '/mine'), await call('GET', `/${subscriptionId}`), await list()], [created, created, [created]]);
});

test('reading a subscription returns its delivery mode and the number of deliveries in each state', async () => {
  await lab.control('PUT', '/subscriptions/mine/delivery-mode', { hold: true });
  await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
  const { deliveries, deliveryMode } = await call('GET', '/mine');
  assert.deepEqual([deliveries, deliveryMode], [{ pending: 0, acknowledged: 0, exhausted: 0, held: 1 }, { hold: true }]);
  await lab.control('POST', '/subscriptions/mine/release', {});
  await lab.settled();
  assert.equal((await call('GET', '/mine')).deliveries.acknowledged, 1);
});

test('a PATCH request for a subscription changes the members in the request, and null removes a member', async () => {
  const changed = await call('PATCH', '/mine', { types: [EVENT_TYPES[0]], experienceId: null, destinationUrl: null });
  assert.deepEqual([changed.types, 'experienceId' in changed, 'destinationUrl' in changed], [[EVENT_TYPES[0]], false, false]);
  assert.equal((await call('PATCH', '/mine', { destinationUrl: lab.receiver.url })).destinationUrl, lab.receiver.url);
});

test('a deleted subscription is not found', async () => {
  await lab.control('DELETE', '/subscriptions/mine');
  assert.deepEqual([await list(), await readWorld()], [[], {}]);
  for (const method of ['GET', 'DELETE']) await assert.rejects(call(method, '/mine'), /404.*There is no subscription/);
});

test('a request for a new subscription must contain providerId if the world has several providers', async () => {
  await lab.control('POST', '/state/providers', { alias: 'globex', name: 'Globex' });
  await assert.rejects(call('POST', '', { types: EVENT_TYPES }), /The subscribing provider is missing\. The providers are: acme, globex/);
});
