import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from 'experience-provider-kit';

/** Replace this function with your code. It reads a user, and repeats the call after Retry-After. */
async function readUser(kit, token) {
  const response = await fetch(`${kit.url}/users/2065550001`, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 429) return response;
  await new Promise((done) => setTimeout(done, Number(response.headers.get('retry-after')) * 1000));
  return readUser(kit, token);
}

test('409: a number cannot be assigned twice', async () => {
  await using kit = await createKit({ port: 0 });
  const headers = { authorization: `Bearer ${await kit.mint()}`, 'content-type': 'application/json' };
  const experienceId = await kit.id('experiences', 'concierge');
  const body = JSON.stringify({ experienceId, targetType: 'PHONE_NUMBER', targetValue: '+12065550103' });
  const assign = () => fetch(`${kit.url}/experience/assignments`, { method: 'POST', headers, body });
  assert.equal((await assign()).status, 201);
  assert.equal((await assign()).status, 409);
});

test('429: the call is repeated after the time in Retry-After', async () => {
  await using kit = await createKit({ port: 0 });
  const fault = await kit.fault({ fault: 'response', operation: 'getUser', status: 429, headers: { 'retry-after': '0' }, times: 2 });
  assert.equal((await readUser(kit, await kit.mint())).status, 200);
  assert.equal(await fault.hits(), 2);
});

test('401: an expired access token is refused', async () => {
  await using kit = await createKit({ port: 0 });
  const { accessToken, expiresIn } = await kit.login({ hint: '+12065550100' });
  assert.equal((await readUser(kit, accessToken)).status, 200);
  await kit.clock.advance(`${expiresIn + 1}s`);
  assert.equal((await readUser(kit, accessToken)).status, 401);
});

test('403: a token without the scope is refused', async () => {
  await using kit = await createKit({ port: 0 });
  assert.equal((await readUser(kit, await kit.mint({ lacking: 'users:manage' }))).status, 403);
});

test('503: a call fails while the authorization service is down', async () => {
  await using kit = await createKit({ port: 0 });
  const token = await kit.mint();
  const fault = await kit.fault({ fault: 'authorization-service-down' });
  assert.equal((await readUser(kit, token)).status, 503);
  await fault.remove();
  assert.equal((await readUser(kit, token)).status, 200);
});

test('lag: a new user can be read before the list shows it', async () => {
  await using kit = await createKit({ port: 0, set: { 'users.list.read-model-lag': 5000 } });
  const headers = { authorization: `Bearer ${await kit.mint()}` };
  const accountId = await kit.id('accounts', 'northwind');
  const count = async () => (await (await fetch(`${kit.url}/users?accountId=${accountId}`, { headers })).json()).count;
  const before = await count();
  const user = await kit.state.add('users', { account: 'northwind' });
  assert.equal((await fetch(`${kit.url}/users/${user.id}`, { headers })).status, 200);
  assert.equal(await count(), before);
  await kit.clock.advance('5s');
  assert.equal(await count(), before + 1);
});

test('rules: the calls in these tests break no documented client rule', async () => {
  await using kit = await createKit({ port: 0 });
  await readUser(kit, await kit.mint());
  assert.deepEqual(await kit.findings(), []);
});
