import { test as base, expect } from '@playwright/test';
import { connectKit } from 'experience-provider-kit';

const test = base.extend({
  world: async ({ request: _ }, use, { title, errors }) => {
    const kit = connectKit(process.env.XPK_URL ?? 'http://127.0.0.1:4010');
    const world = await kit.createWorld({ label: title });
    await use(world);
    // The world of a failed test stays for half an hour, with its requests.
    if (errors.length > 0) console.log(`What happened: ${world.consoleUrl}requests`);
    else await world.close();
  },
});
test.describe.configure({ mode: 'parallel' });

test('a token expires', async ({ request, world }) => {
  const headers = { authorization: `Bearer ${await world.mint()}` };
  const url = `${world.url}/users?accountId=${world.ids.accounts.contoso}`;
  expect((await request.get(url, { headers })).status()).toBe(200);
  await world.clock.advance('2h');
  expect((await request.get(url, { headers })).status()).toBe(401);
});

test('the service is down', async ({ request, world }) => {
  await world.fault({ fault: 'problem', operation: 'getUsers', status: 503 });
  const headers = { authorization: `Bearer ${await world.mint()}` };
  expect((await request.get(`${world.url}/users?accountId=${world.ids.accounts.contoso}`, { headers })).status()).toBe(503);
});
