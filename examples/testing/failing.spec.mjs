import { expect, test } from 'experience-provider-kit/playwright';

test.describe('a group', () => {
  test.use({ worldOptions: { from: 'empty' } });

  test('a test that fails', async ({ request, baseURL, world }) => {
    expect([baseURL, Object.keys(world.ids.users)]).toEqual([`${world.url}/`, []]);
    expect((await request.get('users/nobody')).status()).toBe(200);
  });
});
