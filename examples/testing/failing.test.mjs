import { expect, test } from 'experience-provider-kit/vitest';

test.override({ worldOptions: { from: 'empty' } });

test.describe('a group', () => {
  test('a test that fails', async ({ world }) => {
    expect(Object.keys(world.ids.users)).toEqual([]);
    expect((await fetch(`${world.url}/users/nobody`)).status).toBe(200);
  });
});
