import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import type { components } from '../../contract/generated/control.ts';
import { startLab } from '../../testing/event-lab.ts';

type Schemas = components['schemas'];

const lab = await startLab();
after(() => lab.close());
afterEach(async () => {
  lab.receiver.answerWith(204);
  await lab.control('POST', '/reset', { to: 'seed' });
  await lab.subscribe();
});

const explain = (query: Record<string, string>) =>
  lab.control<Schemas['EventExplanation']>('GET', `/explain?${new URLSearchParams(query)}`);
const readPosition = async () => (await lab.control<Schemas['Clock']>('GET', '/clock')).position;
const ANN_USER_ID = { type: 'provisioning.user.created', entity: 'ann' };

async function connectAndExplain() {
  const { id } = await lab.control<{ id: string }>('POST', '/state/connections', { account: 'north', experience: 'desk' });
  await lab.settled();
  const { events } = await explain({ entity: id });
  assert.equal(events.length, 1);
  return Object.fromEntries(events[0]!.subscriptions.map(({ subscription, result, text }) => [subscription ?? '', { result, text }]));
}

test('each subscription that did not get an event is listed with the reason', async () => {
  await lab.control('POST', '/state/providers', { alias: 'globex', name: 'Globex' });
  await lab.control('POST', '/state/experiences', { alias: 'lamp', provider: 'acme', name: 'Lamp' });
  const types = ['experience.connection.created'];
  await lab.control('POST', '/state/subscriptions', { alias: 'globex', provider: 'globex', types });
  await lab.control('POST', '/state/subscriptions', { alias: 'lamp', provider: 'acme', experience: 'lamp', types });
  await lab.control('POST', '/state/subscriptions', { alias: 'users', provider: 'acme', types: ['provisioning.user.created'] });
  const { all, globex, lamp, users } = await connectAndExplain();
  assert.deepEqual(
    [all, globex, lamp, users].map((one) => one?.result),
    ['acknowledged', 'other-provider', 'other-experience', 'type-not-listed'],
  );
  assert.match(users?.text ?? '', /lists only provisioning\.user\.created/);
});

test('if a subscription was created or changed after an event, the explanation of the missing delivery says so', async () => {
  const { id } = await lab.control<{ id: string }>('POST', '/state/connections', { account: 'north', experience: 'desk' });
  const types = ['experience.connection.created'];
  await lab.control('POST', '/state/subscriptions', { alias: 'late', provider: 'acme', types });
  const listResults = async () =>
    (await explain({ entity: id, subscription: 'late' })).events[0]?.subscriptions.map(({ result }) => result);
  assert.deepEqual(await listResults(), ['created-later']);
  await lab.control('PATCH', '/state/subscriptions/all', { types: ['provisioning.user.created'] });
  const { id: later } = await lab.control<{ id: string }>('POST', '/state/connections', { account: 'south', experience: 'desk' });
  await lab.control('PATCH', '/state/subscriptions/all', { types });
  const { events } = await explain({ entity: later, subscription: 'all' });
  assert.equal(events[0]?.subscriptions[0]?.result, 'not-selected');
});

const setMode = (mode: object) => lab.control('PUT', '/subscriptions/all/delivery-mode', mode);
const setDestination = (destinationUrl: string) => lab.control('PATCH', '/state/subscriptions/all', { destinationUrl });
const UNACKNOWLEDGED_DELIVERIES: readonly (readonly [why: string, prepare: () => unknown, result: string, text: RegExp])[] = [
  ['its attempt failed', () => lab.receiver.answerWith(500), 'pending', /attempt 1: status 500.*Next attempt at \d{4}-/],
  [
    'its destination cannot be reached',
    () => setDestination('http://127.0.0.1:1/hook'),
    'pending',
    /attempt 1: .*(refused|ECONNREFUSED|allowed|port)/i,
  ],
  ['the delivery mode holds it', () => setMode({ hold: true }), 'held', /held by the delivery mode.*xpk release all/],
  ['the delivery mode delays it', () => setMode({ delay: 60_000 }), 'pending', /no attempt has ended.*because of the delivery mode/],
];
for (const [why, prepare, result, text] of UNACKNOWLEDGED_DELIVERIES)
  test(`a delivery that is not acknowledged because ${why} is listed with the reason`, async () => {
    await prepare();
    const { all } = await connectAndExplain();
    assert.equal(all?.result, result);
    assert.match(all?.text ?? '', text);
  });

test("if there was no event because a request was refused, the explanation contains the request's trace id", async () => {
  const { id } = await lab.control<{ id: string }>('POST', '/state/connections', { account: 'north', experience: 'desk', state: 'ACTIVE' });
  await lab.api('PUT', `/experience-connections/${id}`, { state: 'ACTIVE' });
  for (const query of [{ entity: id }, {}]) {
    const { events, reasons } = await explain({ type: 'experience.connection.activated', ...query });
    assert.deepEqual([events, reasons[0]?.cause], [[], 'refused request']);
    assert.equal((await lab.control<Schemas['Explanation']>('GET', `/explain/${reasons[0]?.traceId}`)).status, 409);
  }
});

test('if there was no event about a user because the account has no Experience, the explanation gives that reason', async () => {
  const explainCauses = async (query: object) => (await explain({ ...ANN_USER_ID, ...query })).reasons.map(({ cause }) => cause);
  assert.deepEqual(await explainCauses({}), ['account not assigned']);
  const { reasons } = await explain({ type: ANN_USER_ID.type });
  assert.match(reasons[0]?.text ?? '', /require an ACCOUNT assignment.*: north, south\./);
  await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
  assert.deepEqual(await explainCauses({}), ['no change']);
});

test('if there was no event, the explanation reports an unknown entity, an event type that the entity cannot have, an earlier event or a missing subscription', async () => {
  const listCauses = async (query: Record<string, string>) => (await explain(query)).reasons.map(({ cause }) => cause);
  assert.deepEqual(await listCauses({ entity: 'nobody' }), ['no entity']);
  assert.deepEqual(await listCauses({ type: 'experience.assignment.created', entity: 'ann' }), ['other type']);
  const { id } = await lab.control<{ id: string }>('POST', '/state/connections', { account: 'north', experience: 'desk' });
  assert.deepEqual(await listCauses({ entity: id, since: await readPosition() }), ['no change', 'earlier event']);
  await lab.control('PATCH', '/state/subscriptions/all', { types: ['experience.connection.created'] });
  assert.deepEqual(await listCauses({ type: 'experience.connection.deleted' }), ['no subscription']);
});
