import { createKit } from 'experience-provider-kit';

test('a kit starts', async () => {
  await using kit = await createKit({ port: 0 });
  expect((await fetch(`${kit.url}/users/nobody`)).status).toBe(401);
});
