import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { type Lab, startLab } from '../events/testing/lab.ts';

type Schemas = components['schemas'];

let lab: Lab;
before(async () => {
  lab = await startLab();
});
after(() => lab.close());

const INVALID: readonly (readonly [query: string, refusal: RegExp])[] = [
  [
    '?type=experience.conection.created',
    /400.*There is no event type \\"experience\.conection\.created\\"\. Did you mean \\"experience\.connection\.created/,
  ],
  ['?state=pendin', /400.*state must be one of/],
  ['?subscriptoin=all', /400.*There is no parameter \\"subscriptoin\\"\. Did you mean \\"subscription\\"/],
  ['?state=pending&state=held', /400.*The parameter state is given 2 times\./],
];
for (const [query, refusal] of INVALID) {
  test(`a list of deliveries with the query ${query} is refused`, async () => {
    await assert.rejects(lab.control('GET', `/deliveries${query}`), refusal);
  });
}

test('a leap second is refused', async () => {
  await assert.rejects(
    lab.control('POST', '/subscriptions/all/recover', { since: '2026-06-30T23:59:60Z' }),
    /400.*since must be an instant/,
  );
});

test('raw payloads have the type raw, and a wait for an unknown type is refused', async () => {
  assert.deepEqual(await lab.control('GET', '/deliveries?type=raw'), []);
  await assert.rejects(lab.control('POST', '/deliveries/wait', { type: 'experience.connection.createt' }), /400.*Did you mean/);
});

test('a wait since a position ignores earlier deliveries, also of the same event type', async () => {
  const wait = (request: Schemas['DeliveryWait']) =>
    lab.control<Schemas['Delivery'][]>('POST', '/deliveries/wait', { type: 'provisioning.user.created', ...request });
  const createUser = async () => (await lab.control<{ id: string }>('POST', '/state/users', { account: 'south' })).id;
  await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'south' });
  await createUser();
  const [earlier] = await wait({});
  const { position } = await lab.control<Schemas['Clock']>('GET', '/clock');
  for (const since of [position, earlier?.id ?? ''])
    await assert.rejects(
      wait({ since, timeoutMs: 0 }),
      /404.*Waited 0 ms for 1 delivery to be acknowledged; none was\. No other delivery matches/,
    );
  const entityId = await createUser();
  for (const since of [position, earlier?.id ?? ''])
    assert.deepEqual(
      (await wait({ since })).map((delivery) => delivery.entityId),
      [entityId],
    );
  for (const since of ['2026-03-01T09:30:00Z', 'all', ''])
    await assert.rejects(
      wait({ since }),
      /400.*since must be the position of GET \/_control\/clock \(xpk clock --json\), or the id of a delivery/,
    );
});

test('a wait that fails describes pending deliveries with their last errors', async () => {
  await lab.control('POST', '/state/subscriptions', {
    alias: 'broken',
    provider: 'acme',
    types: ['experience.assignment.created'],
    destinationUrl: 'http://127.0.0.1:1/',
  });
  await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'USER', target: 'ann' });
  await lab.settled();
  await assert.rejects(
    lab.control('POST', '/deliveries/wait', { subscription: 'broken', timeoutMs: 0 }),
    /for 1 delivery to be acknowledged; none was\. .* experience\.assignment\.created to broken is pending after 1 attempt, next attempt at \d{4}-\S+Z, last error: connection refused;/,
  );
  lab.receiver.answerWith(500);
  const { position: since } = await lab.control<Schemas['Clock']>('GET', '/clock');
  await lab.control('POST', '/state/users', { account: 'south' });
  await lab.settled();
  await assert.rejects(
    lab.control('POST', '/deliveries/wait', { subscription: 'all', since, timeoutMs: 0 }),
    /provisioning\.user\.created to all is pending after 1 attempt, next attempt at \S+Z, last error: status 500\./,
  );
  lab.receiver.answerWith(204);
});

test('a wait that fails does not give a time in the past as the next attempt', async () => {
  const open: ServerResponse[] = [];
  lab.receiver.answerWith((response) => void open.push(response));
  const { position: since } = await lab.control<Schemas['Clock']>('GET', '/clock');
  const came = lab.receiver.received.length;
  await lab.control('POST', '/state/users', { account: 'south' });
  await lab.receiver.atLeast(came + 1);
  await assert.rejects(
    lab.control('POST', '/deliveries/wait', { subscription: 'all', since, count: 6, timeoutMs: 0 }),
    /Waited 0 ms for 6 deliveries to be acknowledged; none was\. .* to all is pending after 0 attempts, an attempt is due or under way\./,
  );
  lab.receiver.answerWith(204);
  for (const response of open) response.writeHead(204).end();
  await lab.settled();
  await assert.rejects(
    lab.control('POST', '/deliveries/wait', { subscription: 'all', since, count: 6, timeoutMs: 0 }),
    /Waited 0 ms for 6 deliveries to be acknowledged; 1 was\./,
  );
});

test('a delivery whose subscription was deleted cannot be sent again, and counts no attempt', async () => {
  await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
  await lab.settled();
  const [{ id, attempts }] = (await lab.deliveries()) as [Schemas['Delivery']];
  await lab.control('DELETE', `/state/subscriptions/${await lab.idOf('subscriptions', 'all')}`);
  await assert.rejects(lab.control('POST', `/deliveries/${id}/redeliver`), /409.*The subscription of this delivery was deleted/);
  assert.equal((await lab.control<Schemas['Delivery']>('GET', `/deliveries/${id}`)).attempts, attempts);
});
