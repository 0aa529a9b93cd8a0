import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createKit, type Kit, LoginError, UsageError, WaitError } from '../kit.ts';

const requestStatus = async (kit: Kit, path: string, token: string) =>
  (await fetch(kit.url + path, { headers: { authorization: `Bearer ${token}` } })).status;

const createConnection = async (kit: Kit) => (await kit.state.add('connections', { account: 'fabrikam', experience: 'scheduler' })).id;

test('an `await using` block closes its kit, and does not fail if the kit is already closed', async () => {
  let url: string;
  {
    await using kit = await createKit({ port: 0 });
    url = kit.url;
    assert.equal((await fetch(`${url}/_control/health`)).status, 200);
  }
  await assert.rejects(fetch(`${url}/_control/health`));
  await using closed = await createKit({ port: 0 });
  await closed.close();
});

test("kit.id returns an entity's id, and suggests the nearest alias for an unknown alias", async () => {
  await using kit = await createKit({ port: 0 });
  const user = await kit.id('users', 'ada');
  assert.equal(await requestStatus(kit, `/users/${user}`, await kit.mint()), 200);
  assert.equal(await kit.id('telephoneNumbers', '+12065550100'), '+12065550100');
  const message = 'There is no account "nothwind". Did you mean "northwind"?';
  await assert.rejects(kit.id('accounts', 'nothwind'), { name: 'UsageError', message });
});

test("kit.reset restores the kit's world, an empty world or a snapshot, and kit.load replaces the world that it restores", async () => {
  await using kit = await createKit({ port: 0 });
  const countUsers = async () => (await kit.control.GET('/_control/world')).data.entities.users;
  await kit.state.delete('users', 'ada');
  await kit.control.PUT('/_control/snapshots/{name}', { params: { path: { name: 'without-ada' } } });
  const rest = await countUsers();
  await kit.reset();
  assert.equal(await countUsers(), rest! + 1);
  await kit.reset('without-ada');
  assert.equal(await countUsers(), rest);
  await kit.reset('empty');
  assert.equal(await countUsers(), 0);
  await assert.rejects(kit.reset('withut-ada'), { name: 'UsageError', message: /Did you mean "without-ada"\?/ });

  await kit.load({ world: 'ours', accounts: { customer: { name: 'Customer' } }, users: { hedy: { account: 'customer' } } });
  await kit.state.delete('users', 'hedy');
  await kit.reset();
  assert.deepEqual([kit.world(), await countUsers()], ['ours', 1]);
  await assert.rejects(kit.load('./missing.yaml'), { name: 'FixtureError', message: /missing\.yaml/ });
  assert.equal(kit.world(), 'ours');
});

test('kit.trigger causes an event', async () => {
  await using kit = await createKit({ port: 0 });
  const { entityId } = await kit.trigger('provisioning.user.created', { account: 'northwind' });
  assert.equal((await kit.state.get('users', entityId)).account, 'northwind');
});

test('kit.state reads, creates, changes and deletes entities', async () => {
  await using kit = await createKit({ port: 0 });
  const { id } = await kit.state.add('users', { alias: 'zoe', account: 'northwind', firstName: 'Zoe' });
  assert.equal((await kit.state.set('users', 'zoe', { firstName: null, lastName: 'Zed' })).id, id);
  const { firstName, lastName } = await kit.state.get('users', id);
  assert.deepEqual([firstName, lastName], [undefined, 'Zed']);
  await kit.state.delete('users', 'zoe');
  await assert.rejects(kit.state.get('users', 'zoe'), { name: 'UsageError', message: /^There is no user "zoe"\./ });
  const invalid = { account: 'northwind', firstname: 'Zoe' };
  await assert.rejects(kit.state.add('users', invalid), { name: 'UsageError', message: /firstname.*Did you mean "firstName"\?/ });
});

test('kit.mint creates valid tokens, tokens without a scope or the principal, expiring tokens and invalid tokens', async () => {
  await using kit = await createKit({ port: 0 });
  const readUsers = async (token: string) => requestStatus(kit, '/users/2065550001', token);
  assert.equal(await readUsers(await kit.mint()), 200);
  assert.equal(await readUsers(await kit.mint({ lacking: 'users:manage' })), 403);
  assert.equal(await readUsers(await kit.mint({ principal: null })), 401);
  assert.equal(await readUsers(await kit.mint({ kind: 'wrong-signature' })), 401);
  const short = await kit.mint({ client: 'acme-worker-1', principal: 'reader', expiresIn: 60 });
  assert.equal(await readUsers(short), 200);
  await kit.clock.advance('61s');
  assert.equal(await readUsers(short), 401);
});

test('kit.login returns tokens from the code flow, with a secret or with a signed assertion', async () => {
  await using kit = await createKit({ port: 0 });
  const { accessToken, refreshToken, expiresIn, scope } = await kit.login({ hint: '+12065550130' });
  assert.equal(await requestStatus(kit, '/users/2065550001', accessToken), 200);
  assert.deepEqual([typeof refreshToken, expiresIn, scope.includes('offline_access')], ['string', 3600, true]);
  const key = JSON.parse(await readFile('fixtures/keys/acme-signer.private.jwk.json', 'utf8'));
  const narrow = await kit.login({ client: 'acme-signer', key, scope: 'users:manage' });
  assert.deepEqual([narrow.scope, narrow.refreshToken], ['users:manage', undefined]);
});

test('kit.login rejects with the OAuth error, and reports what is missing', async () => {
  await using kit = await createKit({ port: 0 });
  await assert.rejects(kit.login({ hint: '+12065550159' }), (error) => error instanceof LoginError && error.error === 'access_denied');
  await assert.rejects(kit.login({ scope: 'no:such' }), { name: 'LoginError', error: 'invalid_scope' });
  await assert.rejects(kit.login({ scopes: 'users:manage' } as object), {
    name: 'UsageError',
    message: /"scopes"\. Did you mean "scope"\?/,
  });
  await assert.rejects(kit.login({ client: 'acme-signer' }), { name: 'UsageError', message: /has no secret\. Pass its private key/ });
  await using withPage = await createKit({ port: 0, login: 'page' });
  await assert.rejects(withPage.login(), { name: 'UsageError', message: /login: 'auto'/ });
});

test('kit.fault makes an operation fail until the fault is removed', async () => {
  await using kit = await createKit({ port: 0 });
  const token = await kit.mint();
  const requestUser = async () => requestStatus(kit, '/users/2065550001', token);
  {
    await using fault = await kit.fault({ fault: 'problem', operation: 'getUser', status: 429 });
    assert.deepEqual([await requestUser(), await fault.hits()], [429, 1]);
  }
  assert.equal(await requestUser(), 200);
  await assert.rejects(kit.fault({ fault: 'problem', operation: 'getUserz', status: 429 }), UsageError);
});

test('an `await using` block does not fail if a reset has removed its fault or subscription', async () => {
  await using kit = await createKit({ port: 0 });
  await using _ = await kit.fault({ fault: 'latency', latencyMs: 1 });
  await using __ = await kit.subscribe(() => {});
  await kit.control.POST('/_control/reset', { body: { to: 'seed' } });
});

test('kit.close stops the receivers of subscriptions that had the same alias before and after a reset', async () => {
  const kit = await createKit({ port: 0 });
  const urls: string[] = [];
  for (let n = 0; n < 3; n++) {
    const subscription = await kit.subscribe(() => {}, { alias: 'mine' });
    urls.push(subscription.url);
    await kit.control.POST('/_control/reset', { body: { to: 'seed' } });
  }
  await kit.close();
  for (const url of urls) await assert.rejects(fetch(url), url);
});

test('kit.subscribe passes events to a function, and kit.deliveries.wait returns their deliveries', async () => {
  await using kit = await createKit({ port: 0 });
  const connections: string[] = [];
  await using subscription = await kit.subscribe((event) => connections.push(event.data.connectionId), {
    types: ['experience.connection.created'],
  });
  const since = await kit.deliveries.position();
  const id = await createConnection(kit);
  const [delivery] = await kit.deliveries.wait({ since, type: 'experience.connection.created', subscription: subscription.id });
  assert.equal(delivery?.event.data.connectionId, id);
  assert.deepEqual(connections, [id]);
  assert.equal(subscription.received[0]?.headers['webhook-id'], delivery?.webhookId);
});

test("the error from a failed wait contains the pending delivery, the endpoint's status, and the error that the function threw", async () => {
  await using kit = await createKit({ port: 0 });
  const subscription = await kit.subscribe(() => {
    throw new Error('no such table');
  });
  await createConnection(kit);
  const wait = kit.deliveries.wait({ subscription: subscription.id, timeoutMs: 1 });
  await assert.rejects(wait, (error) => error instanceof WaitError && /0 of 1 deliveries are acknowledged/.test(error.message));
  // Waits for the first attempt, which may still be running.
  await kit.clock.advance(0);
  await assert.rejects(kit.settled(0), {
    name: 'WaitError',
    message:
      /connection\.created to \S+ \(attempts: 1, the last: status 500, next attempt at .*\)\n.*kit\.clock\.advance.*\n.*no such table$/s,
  });
});

test('if an event was not published, the error from kit.deliveries.wait explains why', async () => {
  await using kit = await createKit({ port: 0 });
  const since = await kit.deliveries.position();
  await kit.state.add('users', { account: 'fabrikam' });
  const wait = kit.deliveries.wait({ since, type: 'provisioning.user.created', timeoutMs: 1 });
  await assert.rejects(wait, { name: 'WaitError', message: /fabrikam/ });
});

test('kit.clock.advance returns the attempts that became due, and kit.settled resolves when no delivery is pending', async () => {
  await using kit = await createKit({ port: 0 });
  let status = 503;
  const subscription = await kit.subscribe(() => ({ status }));
  await createConnection(kit);
  await kit.clock.advance(0);
  status = 204;
  const { attempts, pending } = await kit.clock.advance('1m');
  assert.deepEqual([attempts.map((attempt) => [attempt.number, attempt.state]), pending], [[[2, 'acknowledged']], 0]);
  await kit.settled();
  assert.equal(subscription.received.length, 2);
});

test('a subscription with `hold` sends its deliveries only when they are released, and can send the newest delivery first', async () => {
  await using kit = await createKit({ port: 0 });
  const subscription = await kit.subscribe(() => {}, { mode: { hold: true } });
  const id = await createConnection(kit);
  await kit.state.set('connections', id, { state: 'ACTIVE' });
  await subscription.release({ order: 'newest-first' });
  const types = subscription.received.map(({ event }) => event.type);
  assert.deepEqual(types, ['experience.connection.activated', 'experience.connection.created']);
});

test('without a control API, the test API explains that it needs the control API', async () => {
  await using kit = await createKit({ port: 0, control: false });
  await assert.rejects(kit.mint(), { name: 'UsageError', message: /has no control API.*control: false/ });
});

test('the test API works in a kit with a control token and an unreachable public URL', async () => {
  await using kit = await createKit({ port: 0, controlToken: 'a-secret-of-a-test', publicUrl: 'https://kit.test' });
  assert.equal((await kit.login()).expiresIn, 3600);
  const key = JSON.parse(await readFile('fixtures/keys/acme-signer.private.jwk.json', 'utf8'));
  assert.equal((await kit.login({ client: 'acme-signer', key })).expiresIn, 3600);
});
