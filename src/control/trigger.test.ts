import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { callOperation, type OperationValues } from '../control-client/call.ts';
import { getResponseData } from '../control-client/client.ts';
import { type Receiver, startReceiver } from '../events/testing/receiver.ts';
import { createKit, type Kit, type KitSettings } from '../kit.ts';

let kit: Kit;
let receiver: Receiver;
before(async () => {
  kit = await createKit({ port: 0 });
  receiver = await startReceiver();
});
beforeEach(() => kit.control.POST('/_control/reset', { body: {} }));
after(async () => {
  await kit.close();
  await receiver.close();
});

type Options = Omit<OperationValues<'triggerEvent'>, 'event'>;
const trigger = (event: EventType, options: Options = {}, { control } = kit) =>
  getResponseData(callOperation(control, 'triggerEvent', { event, ...options }));
const subscribe = (alias: string, provider: string) =>
  callOperation(kit.control, 'createSubscription', { alias, provider, destinationUrl: receiver.url });
const readWorld = () => getResponseData(callOperation(kit.control, 'dumpState', {}));

const EVENT_TYPES_BY_ENTITY = ['experience.connection.created', 'experience.assignment.deleted', 'provisioning.user.created'] as const;

for (const type of eventTypes) {
  test(`every trigger of ${type} causes the event, and the newest subscription receives it`, async () => {
    await subscribe('older', 'globex');
    await subscribe('mine', 'acme');
    for (let time = 0; time < 2; time++) {
      const { entityId, did, deliveries, subscriptions } = await trigger(type);
      assert.ok(did.length > 0 && subscriptions.includes('mine'));
      for (const delivery of deliveries) assert.deepEqual([delivery.type, delivery.entityId], [type, entityId]);
      const [{ attempts } = { attempts: 0 }] = await kit.deliveries.wait({ subscription: 'mine', type, entityId });
      assert.equal(attempts, 1);
      const kind = `${type.split('.').at(-2)}s` as 'users';
      const entity = kit.state.get(kind, entityId);
      await (type.endsWith('.deleted') ? assert.rejects(entity, /There is no/) : entity);
    }
    assert.ok(receiver.received.some(({ event }) => event.type === type));
  });
}

test('for a deletion event, a trigger creates and deletes an entity, so that the world does not change', async () => {
  const world = await readWorld();
  for (const type of eventTypes.filter((name) => name.endsWith('.deleted'))) await trigger(type);
  assert.deepEqual(await readWorld(), world);
});

const EXPECTED_STEPS: readonly [type: EventType, account: string, experience: string, ...steps: string[]][] = [
  ['experience.connection.deleted', 'contoso', 'reception', 'Removed the connection of contoso to reception.'],
  [
    ...(['experience.connection.activated', 'northwind', 'concierge'] as const),
    ...['The connection of northwind to concierge is now INACTIVE.', 'The connection of northwind to concierge is now ACTIVE.'],
  ],
  [
    ...(['experience.connection.deactivated', 'fabrikam', 'scheduler'] as const),
    ...['Connected fabrikam to scheduler, ACTIVE.', 'The connection of fabrikam to scheduler is now INACTIVE.'],
  ],
  [
    ...(['provisioning.user.created', 'fabrikam', 'concierge'] as const),
    'Assigned concierge to the ACCOUNT fabrikam, because users have events only if their account has an assignment.',
    'Created a user in fabrikam.',
  ],
];
for (const [type, account, experience, ...steps] of EXPECTED_STEPS)
  test(`a trigger of ${type} for ${account} and ${experience} returns its steps`, async () =>
    assert.deepEqual((await trigger(type, { account, experience })).did, steps));

test('a trigger also returns the deliveries of other events', async () => {
  const { deliveries, also } = await trigger('experience.connection.deleted', { account: 'fabrikam', experience: 'scheduler' });
  const types = [...deliveries, ...also].map(({ type }) => type);
  assert.deepEqual(types, ['experience.connection.deleted', 'experience.connection.created']);
});

test('a trigger prefers an Experience with a subscription', async () => {
  for (const name of ['acme-everything', 'acme-concierge-lines', 'globex-everything']) await kit.state.delete('subscriptions', name);
  assert.deepEqual((await trigger('experience.assignment.created')).subscriptions, []);
  await callOperation(kit.control, 'createSubscription', { alias: 'only', experience: 'switchboard' });
  for (const type of EVENT_TYPES_BY_ENTITY) assert.deepEqual((await trigger(type)).subscriptions, ['only']);
});

test('a trigger deletes an existing assignment and replaces an existing connection, but refuses to create an existing assignment', async () => {
  await kit.state.add('accounts', { alias: 'tiny', name: 'Tiny' });
  const place = { account: 'tiny', experience: 'reception' };
  const listSteps = async (type: EventType) => (await trigger(type, place)).did;
  assert.deepEqual(await listSteps('experience.assignment.created'), ['Assigned reception to the ACCOUNT tiny.']);
  await assert.rejects(trigger('experience.assignment.created', place), /already assigned/);
  assert.deepEqual(await listSteps('experience.assignment.deleted'), ['Removed the assignment of reception to the ACCOUNT tiny.']);
  await listSteps('experience.connection.created');
  const replaced = ['Removed the connection of tiny to reception.', 'Connected tiny to reception, INACTIVE.'];
  assert.deepEqual(await listSteps('experience.connection.created'), replaced);
});

test('the requested subscription receives the event, even if a newer subscription has a destination', async () => {
  await subscribe('mine', 'acme');
  for (const type of EVENT_TYPES_BY_ENTITY) {
    assert.deepEqual((await trigger(type, { subscription: 'globex-everything' })).subscriptions, ['globex-everything']);
    assert.equal((await trigger(type, { subscription: 'mine' })).subscriptions[0], 'mine');
  }
});

test('if the requested subscription would not receive the event, a trigger is refused before it changes the world', async () => {
  const world = await readWorld();
  for (const [type, options, message] of [
    [
      'provisioning.user.created',
      { subscription: 'acme-concierge-lines' },
      /does not receive provisioning\.user\.created\. It receives: experience\.assign/,
    ],
    [
      'experience.assignment.created',
      { subscription: 'acme-concierge-lines', experience: 'scheduler' },
      /about the Experience scheduler\. Give no Experience, or the Experience concierge\./,
    ],
    [
      'experience.assignment.created',
      { subscription: 'acme-everything', experience: 'directory' },
      /Give no Experience, or an Experience of the provider acme/,
    ],
  ] as const)
    await assert.rejects(trigger(type, options), message);
  assert.deepEqual(await readWorld(), world);
});

test('for an account, a trigger chooses an Experience from a provider that the account is connected to', async () => {
  await kit.state.add('accounts', { alias: 'solo', name: 'Solo' });
  await kit.state.add('connections', { account: 'solo', experience: 'switchboard' });
  for (const type of EVENT_TYPES_BY_ENTITY) {
    assert.deepEqual((await trigger(type, { account: 'solo' })).subscriptions, ['globex-everything'], type);
    assert.ok((await trigger(type, { account: 'fabrikam' })).subscriptions.includes('acme-everything'), type);
  }
});

test('a trigger has an actor, and is refused in a world without accounts', async () => {
  await trigger('experience.connection.deleted', { as: 'platform' });
  const [event] = await getResponseData(callOperation(kit.control, 'listEvents', { type: 'experience.connection.deleted' }));
  assert.equal(event?.actor, 'platform');
  await callOperation(kit.control, 'reset', { to: 'empty' });
  await assert.rejects(
    trigger('experience.connection.created'),
    /needs an account and an Experience, but the world has no account\. To load the world that the kit started with, run: xpk reset/,
  );
});

test('a trigger can cause every event, even if decisions differ from their defaults', async () => {
  const set: KitSettings['set'] = {
    'provisioning.assigned-means': 'connection',
    'assignments.create.needs-connection': 409,
    'connections.create.activated-event': 'yes',
    'events.connection.deleted.deactivated-first': 'yes',
    'portal.delete-with-numbers': 'refused',
  };
  await using other = await createKit({ port: 0, set });
  for (const type of eventTypes) assert.ok((await trigger(type, {}, other)).deliveries.length > 0, type);
});
