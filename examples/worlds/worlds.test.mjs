import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connectKit } from 'experience-provider-kit';

const kit = connectKit(process.env.XPK_URL ?? 'http://127.0.0.1:4010');
const readAda = (world, token) => fetch(`${world.url}/users/${world.ids.users.ada}`, { headers: { authorization: `Bearer ${token}` } });

describe('at the same time', { concurrency: true }, () => {
  test('a token expires', async () => {
    await using world = await kit.createWorld({ label: 'a token expires' });
    const token = await world.mint();
    assert.equal((await readAda(world, token)).status, 200);
    await world.clock.advance('2h');
    assert.equal((await readAda(world, token)).status, 401);
  });

  test('a user is deleted', async () => {
    await using world = await kit.createWorld({ label: 'a user is deleted' });
    await world.state.delete('users', 'ada');
    assert.equal((await readAda(world, await world.mint())).status, 404);
  });
});
