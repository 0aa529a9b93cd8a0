import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createBenchWorld, EXPERIENCE_ID, NUMBER } from '../../tools/bench/world.ts';
import { createKit } from '../kit.ts';
import type { Change } from '../store/changes.ts';

async function publishAssignment(t: TestContext, { destinationUrl, mode = null }: { destinationUrl?: string; mode?: string | null }) {
  const kit = await createKit({ port: 0, fixtures: createBenchWorld({ clients: 1, ...(destinationUrl && { destinationUrl }) }) as never });
  t.after(() => kit.close());
  const { db, changes } = kit.store;
  await db.updateTable('subscriptions').set({ mode }).execute();
  const reported: Change[] = [];
  changes.subscribe((change) => reported.push(change));
  const [token] = Object.values(await kit.tokens());
  const response = await fetch(`${kit.url}/experience-assignments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: NUMBER }),
  });
  assert.equal(response.status, 201, await response.text());
  const [deliveries, attempts, inbox] = [
    await db.selectFrom('deliveries').selectAll().execute(),
    await db.selectFrom('delivery_attempts').selectAll().execute(),
    await db.selectFrom('inbox').selectAll().execute(),
  ];
  return { deliveries, attempts, inbox, reported };
}

test('the transaction that stores an event also delivers the event to the inbox, so the dispatcher makes no attempt', async (t) => {
  const { deliveries, attempts, inbox, reported } = await publishAssignment(t, {});
  const [delivery] = deliveries;
  assert.partialDeepStrictEqual(deliveries, [{ state: 'acknowledged', attempts: 1, claim: null }]);
  assert.partialDeepStrictEqual(attempts, [{ delivery_id: delivery!.id, number: 1, status: 204, error: null, next_at: null }]);
  assert.partialDeepStrictEqual(inbox, [{ delivery_id: delivery!.id, body: delivery!.body, received_at: attempts[0]!.at }]);
  assert.equal(JSON.parse(inbox[0]!.headers)['webhook-id'], delivery!.event_id);
  assert.equal(reported.includes('due'), false);
});

test('a delivery to the inbox waits if the subscription has a delivery mode', async (t) => {
  const { deliveries, attempts, inbox, reported } = await publishAssignment(t, { mode: '{"delay":60000}' });
  assert.partialDeepStrictEqual(deliveries, [{ state: 'pending', attempts: 0 }]);
  assert.deepEqual([attempts, inbox], [[], []]);
  assert.equal(reported.includes('due'), true);
});

test('a delivery to a subscription with a destination URL is not put into the inbox', async (t) => {
  const { deliveries, inbox, reported } = await publishAssignment(t, { destinationUrl: 'http://127.0.0.1:1/hook' });
  assert.equal(deliveries.length, 1);
  assert.deepEqual(inbox, []);
  assert.equal(reported.includes('due'), true);
});

test('an event is not older than the change that it reports, even if updatedAt is ahead of the clock', async (t) => {
  const kit = await createKit({ port: 0, fixtures: createBenchWorld({ clients: 1 }) as never });
  t.after(() => kit.close());
  const [token] = Object.values(await kit.tokens());
  const send = async (method: string, path: string, body?: object) =>
    fetch(`${kit.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const created = await send('POST', '/experience-assignments', {
    experienceId: EXPERIENCE_ID,
    targetType: 'PHONE_NUMBER',
    targetValue: NUMBER,
  });
  const { id } = (await created.json()) as { id: string };
  await kit.store.db.updateTable('assignments').set({ updated_at: '2999-01-01T00:00:00.000Z' }).execute();
  assert.equal((await send('DELETE', `/experience-assignments/${id}`)).status, 204);
  const events = await kit.store.db.selectFrom('events').selectAll().where('type', '=', 'experience.assignment.deleted').execute();
  assert.deepEqual(
    events.map(({ timestamp, data }) => [timestamp, JSON.parse(data).updatedAt]),
    [['2999-01-01T00:00:00.001Z', '2999-01-01T00:00:00.001Z']],
  );
});
