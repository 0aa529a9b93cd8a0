import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKit } from 'experience-provider-kit';

let kit;
let headers;
before(async () => {
  kit = await createKit({ port: 0 });
  const { full } = await kit.tokens();
  headers = { authorization: `Bearer ${full}`, 'content-type': 'application/json' };
});
after(() => kit.close());

const control = (path, body) =>
  fetch(`${kit.url}/_control/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('assigning a number that is already assigned is a conflict', async () => {
  const body = JSON.stringify({
    experienceId: '019b76da-a800-7546-93d1-a837bd3bb86c',
    targetType: 'PHONE_NUMBER',
    targetValue: '+12065550103',
  });
  const assign = () => fetch(`${kit.url}/experience/assignments`, { method: 'POST', headers, body });
  assert.equal((await assign()).status, 201);
  assert.equal((await assign()).status, 409);
});

test('reading a user gets 503 while the authorization service is down', async () => {
  await control('faults', { fault: 'authorization-service-down', times: 1 });
  assert.equal((await fetch(`${kit.url}/users/2065550001`, { headers })).status, 503);
});

test('an expired token is refused with 401', async () => {
  const response = await control('tokens', { client: 'acme-web', principal: 'manager', expiresIn: 60 });
  const { accessToken } = await response.json();
  const read = () => fetch(`${kit.url}/users/2065550001`, { headers: { authorization: `Bearer ${accessToken}` } });
  assert.equal((await read()).status, 200);
  await kit.clock.advance('61s');
  assert.equal((await read()).status, 401);
});
