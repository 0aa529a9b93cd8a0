import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { startLab } from '../testing/event-lab.ts';
import { callControl } from './testing/call.ts';

type Schemas = components['schemas'];

const lab = await startLab();
after(() => lab.close());

test('a wait with the `since` parameter ignores earlier deliveries, even deliveries of the same event type', async () => {
  const waitForDeliveries = (request: Schemas['DeliveryWait']) =>
    lab.control<Schemas['Delivery'][]>('POST', '/deliveries/wait', { type: 'provisioning.user.created', ...request });
  const createUser = async () => (await lab.control<{ id: string }>('POST', '/state/users', { account: 'south' })).id;
  await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'south' });
  await createUser();
  const [earlier] = await waitForDeliveries({});
  const { position } = await lab.control<Schemas['Clock']>('GET', '/clock');
  for (const since of [position, earlier?.id ?? ''])
    await assert.rejects(
      waitForDeliveries({ since, timeoutMs: 0 }),
      /404.*Waited 0 ms: 0 of 1 deliveries are acknowledged\. No matching event/,
    );
  const entityId = await createUser();
  for (const since of [position, earlier?.id ?? ''])
    assert.deepEqual(
      (await waitForDeliveries({ since })).map((delivery) => delivery.entityId),
      [entityId],
    );
});

test('if a wait times out, the response describes each pending delivery and the error in its last attempt', async () => {
  lab.receiver.answerWith(500);
  const { position: since } = await lab.control<Schemas['Clock']>('GET', '/clock');
  await lab.control('POST', '/state/users', { account: 'south' });
  await lab.settled();
  await assert.rejects(
    lab.control('POST', '/deliveries/wait', { subscription: 'all', since, timeoutMs: 0 }),
    /0 of 1 deliveries are acknowledged\. .*provisioning\.user\.created about .*all: pending \(attempt 1: status 500\)\. Next attempt at/,
  );
  lab.receiver.answerWith(204);
});

test('pending deliveries are listed in the order in which they are due', async () => {
  lab.receiver.answerWith(500);
  for (const by of ['0s', '1h']) {
    // The first delivery has more failed attempts, so it is due later.
    await lab.control('POST', '/state/users', { account: 'south' });
    await lab.settled();
    await lab.control('POST', '/clock/advance', { by });
  }
  const list = (query: string) => lab.control<Schemas['Delivery'][]>('GET', `/deliveries?${query}`);
  const due = (await list('order=due-first')).map(({ nextAttemptAt = '' }) => nextAttemptAt);
  const pending = (await list('state=pending')).map(({ nextAttemptAt = '' }) => nextAttemptAt);
  assert.ok(due.length >= 2);
  assert.deepEqual(due, pending.toSorted());
  assert.deepEqual(await list('order=due-first&limit=1').then(([first]) => first?.nextAttemptAt), due[0]);
  lab.receiver.answerWith(204);
});

test('the operation `recover` repeats acknowledged deliveries only if the request sets `acknowledged`', async () => {
  await lab.control('POST', '/clock/advance', { by: '1d' });
  const since = '2026-01-01T00:00:00Z';
  const recoverDeliveries = (options: object) =>
    lab.control<{ deliveries: number }>('POST', '/subscriptions/all/recover', { since, ...options });
  assert.equal((await recoverDeliveries({})).deliveries, 0);
  assert.equal((await recoverDeliveries({ acknowledged: true })).deliveries, (await lab.deliveries()).length);
  await lab.settled();
});

test('a request to repeat a delivery to a deleted subscription is refused and adds no attempt', async () => {
  await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
  await lab.settled();
  const [{ id, attempts }] = (await lab.deliveries()) as [Schemas['Delivery']];
  await lab.control('DELETE', `/state/subscriptions/${await lab.getId('subscriptions', 'all')}`);
  await assert.rejects(lab.control('POST', `/deliveries/${id}/redeliver`), /409.*The subscription of this delivery was deleted/);
  assert.equal((await lab.control<Schemas['Delivery']>('GET', `/deliveries/${id}`)).attempts, attempts);
});

test('closing a kit ends all waits for deliveries', async (t) => {
  const other = await startLab();
  const { changes } = other.kit.store;
  const { subscribe } = changes;
  const begun = new Promise<void>((resolve) =>
    t.mock.method(changes, 'subscribe', (listener: Parameters<typeof subscribe>[0]) => {
      resolve();
      return subscribe(listener);
    }),
  );
  const waiting = callControl(other.kit.url, 'POST', '/deliveries/wait', { timeoutMs: 60_000 });
  await begun;
  await other.close();
  assert.equal((await waiting).status, 503);
});

test('closing a kit ends a release, and the deliveries that were not sent stay held', async () => {
  const other = await startLab();
  await other.control('PUT', '/subscriptions/all/delivery-mode', { hold: true });
  for (const account of ['north', 'south']) await other.control('POST', '/state/connections', { account, experience: 'desk' });
  other.receiver.answerWith(() => {});
  const releasing = other.control<Schemas['Released']>('POST', '/subscriptions/all/release', { maxWaitMs: 60_000 });
  await other.receiver.atLeast(1);
  await other.close();
  const { released, held } = await releasing;
  assert.deepEqual([released.length, held], [1, 1]);
});
