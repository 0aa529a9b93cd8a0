import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from 'experience-provider-kit';

/** Replace this function with your code. It stores each connection's state, and ignores repeats and older events. */
function createConsumer() {
  const states = { created: null, activated: 'ACTIVE', deactivated: 'INACTIVE', deleted: 'DELETED' };
  const seen = new Set();
  const connections = {};
  function consume({ type, data }, { headers }) {
    if (!type.startsWith('experience.connection.') || seen.has(headers['webhook-id'])) return;
    seen.add(headers['webhook-id']);
    const known = connections[data.connectionId];
    if (known && Date.parse(data.updatedAt) < Date.parse(known.updatedAt)) return;
    connections[data.connectionId] = { state: states[type.split('.')[2]], updatedAt: data.updatedAt };
  }
  /** Returns the stored state, for kit.checkWebhook. */
  function view() {
    return { connections: Object.fromEntries(Object.entries(connections).filter(([, { state }]) => state !== 'DELETED')) };
  }
  return { consume, view, stateOf: (id) => connections[id]?.state };
}

const types = ['experience.connection.created', 'experience.connection.activated'];

/** Creates a connection and activates it, as an end user does in the portal. @returns the connection's id */
async function connectAndActivate({ state }) {
  const { id } = await state.add('connections', { account: 'fabrikam', experience: 'scheduler' });
  await state.set('connections', id, { state: 'ACTIVE' });
  return id;
}

test('a change to the world delivers an event', async () => {
  await using kit = await createKit({ port: 0 });
  const { consume, stateOf } = createConsumer();
  const subscription = await kit.subscribe(consume, { types }); // You can pass your endpoint's URL instead of a function.
  const since = await kit.deliveries.position();
  const id = await connectAndActivate(kit);
  const [{ event }] = await kit.deliveries.wait({ since, subscription: subscription.id, type: 'experience.connection.activated' });
  assert.equal(event.data.connectionId, id);
  assert.equal(stateOf(id), 'ACTIVE');
});

test('reorder: an older event that arrives late does not change the state', async () => {
  await using kit = await createKit({ port: 0 });
  const { consume, stateOf } = createConsumer();
  const subscription = await kit.subscribe(consume, { types, mode: { hold: true } });
  const id = await connectAndActivate(kit);
  await subscription.release({ order: 'newest-first' });
  const arrived = subscription.received.map(({ event }) => event.type);
  assert.deepEqual(arrived, ['experience.connection.activated', 'experience.connection.created']);
  assert.equal(stateOf(id), 'ACTIVE');
});

test('retry: an event that was not acknowledged arrives again, with the same webhook-id', async () => {
  await using kit = await createKit({ port: 0 });
  let status = 503;
  const { received } = await kit.subscribe(() => ({ status }), { types: ['experience.connection.created'] });
  await connectAndActivate(kit);
  await kit.clock.advance(0); // makes the delivery attempts that are due now
  status = 204;
  await kit.clock.advance('1m'); // repeats the deliveries that become due within a minute
  await kit.settled();
  const [first, second] = received.map(({ headers }) => headers['webhook-id']);
  assert.equal(first, second);
});

test('repeat: an acknowledged event can arrive again', async () => {
  await using kit = await createKit({ port: 0 });
  const { consume } = createConsumer();
  const { received } = await kit.subscribe(consume, { types: ['experience.connection.created'], mode: { duplicate: 1 } });
  await connectAndActivate(kit);
  await kit.settled();
  assert.equal(received.length, 2);
});

test('rules: the consumer breaks no documented rule', async () => {
  await using kit = await createKit({ port: 0 });
  const { consume, view } = createConsumer();
  const { findings, untested } = await kit.checkWebhook({ url: consume, state: view }); // `url` can also be your endpoint's URL.
  assert.deepEqual(findings, []);
  // This consumer stores only connections, so no rule about users or assignments was tested.
  assert.ok(untested.some(({ rule }) => rule === 'events.consumer.user-set-per-account'));
});
