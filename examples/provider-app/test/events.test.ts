import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Kit } from 'experience-provider-kit';
import { CUSTOMERS, startApp, startKit } from './start-app.ts';

let kit: Kit;
let app: Awaited<ReturnType<typeof startApp>>;
before(async () => {
  kit = await startKit();
  app = await startApp(kit);
});
after(async () => {
  app.close();
  await kit.close();
});

test('the state is correct after events in any order, including repeats', async () => {
  await using _ = await kit.subscribe(`${app.url}/hooks`, { mode: { duplicate: 1, reorder: { window: 50 } } });
  const { connectionId } = await app.connect('clinic', '+12065550121');
  for (const state of ['INACTIVE', 'ACTIVE', 'INACTIVE'] as const) await kit.state.set('connections', connectionId, { state });
  await kit.settled();
  const { connections, applied } = await app.state();
  assert.equal(connections[connectionId]?.state, 'INACTIVE');
  assert.deepEqual(new Set(Object.values(applied)), new Set([1]));
});

test('the state survives a restart and can be rebuilt from the lists', async () => {
  const { applied, ...before } = await app.state();
  app.restart();
  assert.deepEqual(await app.state(), { applied, ...before });
  assert.equal(await app.rebuild(), 204);
  assert.deepEqual(await app.state(), { applied: {}, ...before });
});

test('an event that cannot be stored is not acknowledged', async () => {
  const headers = { 'content-type': 'application/json', 'webhook-id': 'incomplete' };
  const event = { type: 'experience.connection.created', data: {} };
  const response = await fetch(`${app.url}/hooks`, { method: 'POST', headers, body: JSON.stringify(event) });
  assert.equal(response.status, 500);
  assert.equal((await app.state()).applied.incomplete, undefined);
});

test('the endpoint passes the webhook check', async () => {
  for (const [account, number] of CUSTOMERS) assert.equal((await app.connect(account, number)).status, 200);
  const { findings } = await kit.checkWebhook({
    url: `${app.url}/hooks`,
    state: app.state,
    restart: app.restart,
    loseStore: { url: `${app.url}/rebuild` },
    levels: ['documented', 'implied', 'advice'],
  });
  assert.deepEqual(findings, []);
});
