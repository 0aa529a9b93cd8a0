import assert from 'node:assert/strict';
import { type Answer, kitUrl } from './five-calls.ts';

export { kitUrl };

/** Calls of the control API. The types of a generated client must be assignable to these types without a cast. */
export interface ControlClient {
  mint(body: { client: string; principal: string }): Promise<Answer<{ accessToken: string }>>;
  addUser(body: { alias: string; account: string; firstName: string }): Promise<Answer<{ id?: string }>>;
  readUser(id: string): Promise<Answer<object>>;
  advance(body: { by: string }): Promise<Answer<object>>;
  removeUser(id: string): Promise<Answer<unknown>>;
}

export async function makeControlCalls({ mint, addUser, readUser, advance, removeUser }: ControlClient): Promise<void> {
  const { data: token } = await mint({ client: 'acme-web', principal: 'manager' });
  const { data: user } = await addUser({ alias: 'zoe', account: 'northwind', firstName: 'Zoe' });
  const headers = { authorization: `Bearer ${token?.accessToken}` };
  const served = await fetch(`${kitUrl}/users/${user?.id}`, { headers });
  assert.equal(served.status, 200, 'the service returns the user');
  assert.equal((await readUser('zoe')).status, 200);
  assert.equal((await advance({ by: '1s' })).status, 200);
  assert.equal((await removeUser('zoe')).status, 204);
  assert.equal((await readUser('zoe')).status, 404);
}
