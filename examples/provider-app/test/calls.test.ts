import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Kit } from 'experience-provider-kit';
import { startApp, startKit } from './start-app.ts';

let kit: Kit;
let app: Awaited<ReturnType<typeof startApp>>;
before(async () => {
  kit = await startKit();
  app = await startApp(kit, kit.clock.now);
  assert.equal((await app.connect('bakery', '+12065550111')).status, 200);
});
after(async () => {
  app.close();
  await kit.close();
});

let last = 0;
/** Returns the requests since this function's previous call, newest first, such as `GET /users`. */
async function requests(prefix = '/') {
  const { data } = await kit.control.GET('/_control/requests', { params: { query: { since: last, limit: 1000 } } });
  last = data[0]?.number ?? last;
  return data.map(({ method, path }) => `${method} ${path.split('?', 1)[0]}`).filter((line) => line.includes(` ${prefix}`));
}

test('the application refuses a redirect with a wrong state, and requests no token', async () => {
  await using _ = await kit.fault({ fault: 'altered-state', times: 1 });
  await requests();
  assert.equal((await app.connect('clinic', '+12065550121')).status, 400);
  assert.deepEqual(await requests('/auth/'), ['GET /auth/authorize']);
});

test('if a customer connects again, no login is needed and nothing is created twice', async () => {
  await requests();
  assert.equal((await app.connect('bakery', '+12065550111')).status, 200);
  const sent = await requests();
  assert.ok(
    sent.every((line) => line.startsWith('GET /') && !line.startsWith('GET /auth/')),
    sent.join(),
  );
});

test('an access token is refreshed before it expires, and only once for all requests', async () => {
  await kit.clock.advance('59m30s');
  await requests();
  await Promise.all([app.connect('bakery', '+12065550111'), app.connect('bakery', '+12065550111'), app.rebuild()]);
  assert.deepEqual(await requests('/auth/'), ['POST /auth/oauth/token']);
  await kit.clock.advance('31s');
  assert.equal(await app.rebuild(), 204);
  assert.deepEqual(await requests('/auth/'), []);
});

test('the application waits and repeats a request that got 429', async () => {
  await using checks = await kit.fault({ fault: 'problem', operation: 'getExperienceAssignability', status: 429, times: 1 });
  await using users = await kit.fault({ fault: 'problem', operation: 'getUsers', status: 429, times: 1 });
  assert.equal((await app.connect('bakery', '+12065550112')).status, 200);
  assert.deepEqual([await checks.hits(), await users.hits()], [1, 1]);
});

test('a list starts again without a cursor if the service refuses the cursor', async () => {
  await using fault = await kit.fault({ fault: 'problem', operation: 'getUsers', status: 400, after: 1, times: 1 });
  assert.equal(await app.rebuild(), 204);
  assert.equal(await fault.hits(), 1);
});

test('the application replaces a token that the service refuses', async () => {
  await using fault = await kit.fault({ fault: 'problem', operation: 'getExperienceConnections', status: 401, times: 1 });
  assert.equal(await app.rebuild(), 204);
  assert.equal(await fault.hits(), 1);
});

test('a refused request is not repeated', async () => {
  const free = { fault: 'response', status: 200, operation: 'getExperienceAssignability', body: { assignable: true } } as const;
  await using _ = await kit.fault(free);
  await requests();
  assert.equal((await app.connect('clinic', '+12065550122')).status, 409);
  assert.deepEqual((await requests()).filter((line) => line === 'POST /experience/assignments').length, 1);
});

test('the calls in these tests break no rule', async () => {
  assert.deepEqual(await kit.findings({ levels: ['documented', 'implied', 'advice'] }), []);
});
