import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '../../src/expect/event.ts';
import type { Inbox } from './inbox.ts';
import { collectNewEvents } from './silence.ts';

const LATER_CHANGE = delivery('later-change', '2026-03-01T09:00:10.250Z', {});

function delivery(webhookId: string, timestamp: string, data: Readonly<Record<string, string>>): Delivery {
  const json = { type: 'experience.connection.activated', timestamp, data };
  return { method: 'POST', headers: { 'webhook-id': webhookId }, text: JSON.stringify(json), json, at: 0 };
}

async function collectNewIds({ before = [], after, own }: { before?: Delivery[]; after: Delivery[]; own?: string[] }): Promise<unknown[]> {
  const deliveries = [...before, LATER_CHANGE];
  const inbox = { deliveries, settle: async () => LATER_CHANGE } as unknown as Inbox;
  const found = await collectNewEvents(inbox, async () => deliveries.push(...after), own);
  return found.map(({ headers }) => headers['webhook-id']);
}

const CONNECTION_DATA = { connectionId: 'made', updatedAt: '2026-03-01T09:00:05.000Z' };
const creationDelivery = delivery('made-1', CONNECTION_DATA.updatedAt, CONNECTION_DATA);

test('collectNewEvents returns an event about an id in `own`, even if its timestamp is old', async () => {
  assert.deepEqual(
    await collectNewIds({
      before: [creationDelivery],
      after: [delivery('new', CONNECTION_DATA.updatedAt, CONNECTION_DATA)],
      own: ['made'],
    }),
    ['new'],
  );
});

test('collectNewEvents ignores a repeated delivery and a late event about an earlier change', async () => {
  const earlier = delivery('earlier', '2026-03-01T09:00:04Z', { ...CONNECTION_DATA, updatedAt: '2026-03-01T09:00:03.999Z' });
  assert.deepEqual(await collectNewIds({ before: [creationDelivery], after: [creationDelivery, earlier], own: ['made'] }), []);
});

test('collectNewEvents ignores an event that is older than the action and about an id that other checks use', async () => {
  const [late, later] = [
    delivery('late', '2026-03-01T09:00:10.249Z', CONNECTION_DATA),
    delivery('later', '2026-03-01T09:00:10.250Z', CONNECTION_DATA),
  ];
  assert.deepEqual(await collectNewIds({ after: [late, later] }), ['later']);
});

test('collectNewEvents returns an event whose timestamp is the second of the action, without fractions', async () => {
  const whole = delivery('whole', '2026-03-01T09:00:10Z', CONNECTION_DATA);
  assert.deepEqual(await collectNewIds({ after: [whole] }), ['whole']);
});
