import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inbox } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';
import { newsOf } from './silence.ts';

const SENTINEL = told('sentinel', '2026-03-01T09:00:10.250Z', {});

function told(webhookId: string, timestamp: string, data: Readonly<Record<string, string>>): Delivery {
  const json = { type: 'experience.connection.activated', timestamp, data };
  return { method: 'POST', headers: { 'webhook-id': webhookId }, text: JSON.stringify(json), json, at: 0 };
}

/** The webhook-ids of what is news of what comes after such a start. */
async function news({ before = [], after, own }: { before?: Delivery[]; after: Delivery[]; own?: string[] }): Promise<unknown[]> {
  const deliveries = [...before, SENTINEL];
  const inbox = { deliveries, settled: async () => SENTINEL } as unknown as Inbox;
  const found = await newsOf(inbox, async () => deliveries.push(...after), own);
  return found.map(({ headers }) => headers['webhook-id']);
}

const MADE = { connectionId: 'made', updatedAt: '2026-03-01T09:00:05.000Z' };
const made = told('made-1', MADE.updatedAt, MADE);

test('What tells of the check’s own again is news, however old its timestamp says it is.', async () => {
  assert.deepEqual(await news({ before: [made], after: [told('new', MADE.updatedAt, MADE)], own: ['made'] }), ['new']);
});

test('A repeat that comes late is no news, and neither is what tells late of an earlier change.', async () => {
  const earlier = told('earlier', '2026-03-01T09:00:04Z', { ...MADE, updatedAt: '2026-03-01T09:00:03.999Z' });
  assert.deepEqual(await news({ before: [made], after: [made, earlier], own: ['made'] }), []);
});

test('What tells of ids that others used is news unless it happened before.', async () => {
  const [late, later] = [told('late', '2026-03-01T09:00:10.249Z', MADE), told('later', '2026-03-01T09:00:10.250Z', MADE)];
  assert.deepEqual(await news({ after: [late, later] }), ['later']);
});

test('An instant in whole seconds is not before one within the same second.', async () => {
  const whole = told('whole', '2026-03-01T09:00:10Z', MADE);
  assert.deepEqual(await news({ after: [whole] }), ['whole']);
});
