import { expect, test } from 'experience-provider-kit/playwright';

test.describe.configure({ mode: 'parallel' });

test('a token expires', async ({ request, world }) => {
  const headers = { authorization: `Bearer ${await world.mint()}` };
  expect((await request.get(`users/${world.ids.users.ada}`, { headers })).status()).toBe(200);
  await world.clock.advance('2h');
  expect((await request.get(`users/${world.ids.users.ada}`, { headers })).status()).toBe(401);
});

test('the service is down', async ({ request, world }) => {
  await world.fault({ fault: 'problem', operation: 'getUser', status: 503 });
  const headers = { authorization: `Bearer ${await world.mint()}` };
  expect((await request.get(`users/${world.ids.users.ada}`, { headers })).status()).toBe(503);
});
