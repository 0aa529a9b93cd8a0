import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '../expect/event.ts';
import type { Inbox } from './inbox.ts';
import { collectNewEvents } from './silence.ts';

const LATER_CHANGE = delivery('later-change', '2026-03-01T09:00:10.250Z', {});

function delivery(webhookId: string, timestamp: string, data: Readonly<Record<string, string>>): Delivery {
  const json = { type: 'experience.connection.activated', timestamp, data };
  return { method: 'POST', headers: { 'webhook-id': webhookId }, text: JSON.stringify(json), json, at: 0 };
}

/** Returns the webhook-ids of the events that collectNewEvents returns. */
async function newIds({ before = [], after, own }: { before?: Delivery[]; after: Delivery[]; own?: string[] }): Promise<unknown[]> {
  const deliveries = [...before, LATER_CHANGE];
  const inbox = { deliveries, settle: async () => LATER_CHANGE } as unknown as Inbox;
  const found = await collectNewEvents(inbox, async () => deliveries.push(...after), own);
  return found.map(({ headers }) => headers['webhook-id']);
}

const MADE = { connectionId: 'made', updatedAt: '2026-03-01T09:00:05.000Z' };
const made = delivery('made-1', MADE.updatedAt, MADE);

test('An event about an id that only the check uses is new, however old its timestamp is', async () => {
  assert.deepEqual(await newIds({ before: [made], after: [delivery('new', MADE.updatedAt, MADE)], own: ['made'] }), ['new']);
});

test('A repeated delivery is not new, and a late event of an earlier change is not new', async () => {
  const earlier = delivery('earlier', '2026-03-01T09:00:04Z', { ...MADE, updatedAt: '2026-03-01T09:00:03.999Z' });
  assert.deepEqual(await newIds({ before: [made], after: [made, earlier], own: ['made'] }), []);
});

test('An event about an id that other checks use is new unless its timestamp is before the action', async () => {
  const [late, later] = [delivery('late', '2026-03-01T09:00:10.249Z', MADE), delivery('later', '2026-03-01T09:00:10.250Z', MADE)];
  assert.deepEqual(await newIds({ after: [late, later] }), ['later']);
});

test('An event whose timestamp is in whole seconds is new if the action happened in the same second', async () => {
  const whole = delivery('whole', '2026-03-01T09:00:10Z', MADE);
  assert.deepEqual(await newIds({ after: [whole] }), ['whole']);
});
