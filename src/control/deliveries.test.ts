import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { type Lab, startLab } from '../events/testing/lab.ts';

type Schemas = components['schemas'];

let lab: Lab;
before(async () => {
  lab = await startLab();
});
after(() => lab.close());

const ASKED: readonly (readonly [query: string, refusal: RegExp])[] = [
  [
    '?type=experience.conection.created',
    /400.*There is no event type \\"experience\.conection\.created\\"\. Did you mean \\"experience\.connection\.created/,
  ],
  ['?state=pendin', /400.*state is one of/],
  ['?subscriptoin=all', /400.*There is no parameter \\"subscriptoin\\"\. Did you mean \\"subscription\\"/],
  ['?state=pending&state=held', /400.*The parameter state is given 2 times: give it once/],
];
for (const [query, refusal] of ASKED) {
  test(`the list of deliveries is no empty list for ${query}`, async () => {
    await assert.rejects(lab.control('GET', `/deliveries${query}`), refusal);
  });
}

test('a leap second is refused in words', async () => {
  await assert.rejects(
    lab.control('POST', '/subscriptions/all/recover', { since: '2026-06-30T23:59:60Z' }),
    /400.*since must be an instant/,
  );
});

test('what was made up is found as raw, and a type that none has is not waited for', async () => {
  assert.deepEqual(await lab.control('GET', '/deliveries?type=raw'), []);
  await assert.rejects(lab.control('POST', '/deliveries/wait', { type: 'experience.connection.createt' }), /400.*Did you mean/);
});

test('a delivery whose subscription was deleted cannot be sent again, and counts no attempt', async () => {
  await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
  await lab.settled();
  const [{ id, attempts }] = (await lab.deliveries()) as [Schemas['Delivery']];
  await lab.control('DELETE', `/state/subscriptions/${await lab.idOf('subscriptions', 'all')}`);
  await assert.rejects(lab.control('POST', `/deliveries/${id}/redeliver`), /409.*Its subscription was deleted/);
  assert.equal((await lab.control<Schemas['Delivery']>('GET', `/deliveries/${id}`)).attempts, attempts);
});
