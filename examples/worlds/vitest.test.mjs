import { expect, test } from 'experience-provider-kit/vitest';

const readAda = (world, token) => fetch(`${world.url}/users/${world.ids.users.ada}`, { headers: { authorization: `Bearer ${token}` } });

test.concurrent('a token expires', async ({ world }) => {
  const token = await world.mint();
  expect((await readAda(world, token)).status).toBe(200);
  await world.clock.advance('2h');
  expect((await readAda(world, token)).status).toBe(401);
});

test.concurrent('a user is deleted', async ({ world }) => {
  await world.state.delete('users', 'ada');
  expect((await readAda(world, await world.mint())).status).toBe(404);
});
