import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { getSigningSecret } from '../domain/deliveries.ts';
import { signDelivery } from '../domain/delivery-headers.ts';
import { removeMode, setMode } from '../testing/delivery-modes.ts';
import { startLab } from '../testing/event-lab.ts';

type Schemas = components['schemas'];
type Delivery = Schemas['DeliveryWithAttempts'];

const USER_DATA = {
  userId: '019cb8c1-2f10-7d4b-9e8a-0b1c2d3e4f50',
  accountId: '8c2d4e6f-1a3b-4c5d-8e7f-9a0b1c2d3e4f',
  updatedAt: '2026-03-01T09:30:00Z',
};
const DELETED_USER_EVENT = { subscription: 'all', type: 'provisioning.user.deleted', data: USER_DATA };

let start: number;
const lab = await startLab({ set: { 'events.delivery.signature': 'standard-webhooks' } });
beforeEach(async () => {
  start = await removeMode(lab);
});
after(() => lab.close());

const send = (request: object) => lab.control<Schemas['Delivery']>('POST', '/events/raw', request);
const read = (id: string) => lab.control<Delivery>('GET', `/deliveries/${id}`);
async function listReceived() {
  return (await lab.receiver.atLeast(start + 1))[start]!;
}

test('data for a documented event type is delivered in a signed envelope, and the world stays unchanged', async () => {
  const world = await lab.control('GET', '/state');
  const { id, webhookId, type, entityId } = await send(DELETED_USER_EVENT);
  const { text, headers, event } = await listReceived();
  assert.deepEqual([type, entityId], [DELETED_USER_EVENT.type, USER_DATA.userId]);
  assert.deepEqual(getValidator(schemaReferences.events['provisioning.user.deleted'])(event), []);
  assert.deepEqual([event.data, event.scope.experienceId], [USER_DATA, await lab.getId('experiences', 'desk')]);
  assert.equal(headers['webhook-id'], webhookId);
  const secret = getSigningSecret({ id: event.subscriptionId, secret: null });
  const signed = signDelivery(secret, webhookId, headers['webhook-timestamp'] as string, text);
  assert.equal(headers['webhook-signature'], signed);
  await lab.settled();
  assert.deepEqual([(await read(id)).state, await lab.control('GET', '/state')], ['acknowledged', world]);
});

test("a raw event's body is delivered unchanged, with the headers that the request gives", async () => {
  const body = {
    ...DELETED_USER_EVENT,
    timestamp: USER_DATA.updatedAt,
    subscriptionId: 'another',
    scope: { experienceId: USER_DATA.userId },
    subscription: undefined,
  };
  const headers = { 'X-Test': 'yes', 'Content-Type': 'application/cloudevents+json' };
  const { id } = await send({ subscription: 'all', body, headers });
  const got = await listReceived();
  assert.deepEqual(JSON.parse(got.text), JSON.parse(JSON.stringify(body)));
  assert.deepEqual([got.headers['x-test'], got.headers['content-type']], ['yes', 'application/cloudevents+json']);
  assert.equal((await read(id)).headers?.['x-test'], 'yes');
});

test('retrying a raw delivery sends the same body and headers', async () => {
  lab.receiver.answerWith(500);
  const { id } = await send({ ...DELETED_USER_EVENT, headers: { 'x-test': 'again' } });
  await lab.control('POST', '/clock/advance', { by: '1m' });
  const got = lab.receiver.received.slice(start);
  assert.deepEqual(
    got.map(({ headers }) => headers['x-test']),
    ['again', 'again'],
  );
  assert.equal(got[0]?.text, got[1]?.text);
  lab.receiver.answerWith(204);
  await lab.control('POST', '/clock/advance', { by: '3d' });
  const { state, attemptLog } = await read(id);
  assert.deepEqual([state, attemptLog.map(({ status }) => status)], ['acknowledged', [500, 500, 204]]);
});

test("the subscription's delivery mode applies to raw deliveries", async () => {
  await setMode(lab, { hold: true });
  assert.equal((await send(DELETED_USER_EVENT)).state, 'held');
});

test('a raw event with allowInvalid can have any payload', async () => {
  const { id, type, entityId } = await send({ subscription: 'all', body: 'no JSON: ü', allowInvalid: true });
  assert.equal((await listReceived()).text, 'no JSON: ü');
  assert.deepEqual([type, entityId, (await read(id)).body], ['raw', '', 'no JSON: ü']);
});
