import assert from 'node:assert/strict';
import { test } from 'node:test'; // with vitest: import { test } from 'vitest';
import { createKit } from 'experience-provider-kit';

test('an assignment that is created over HTTP reaches the endpoint as an event', async () => {
  await using kit = await createKit({ port: 0 });
  const subscription = await kit.subscribe(() => ({ status: 204 })); // You can pass your endpoint's URL instead of a function.
  const { accessToken } = await kit.login({ hint: '+12065550100' });
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const experienceId = await kit.id('experiences', 'concierge');
  const body = JSON.stringify({ experienceId, targetType: 'PHONE_NUMBER', targetValue: '+12065550103' });
  const since = await kit.deliveries.position();
  assert.equal((await fetch(`${kit.url}/experience/assignments`, { method: 'POST', headers, body })).status, 201);
  const [delivery] = await kit.deliveries.wait({ since, subscription: subscription.id, type: 'experience.assignment.created' });
  assert.equal(delivery.event.data.targetValue, '+12065550103');
  assert.equal(delivery.state, 'acknowledged');
});
