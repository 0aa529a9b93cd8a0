import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callControl } from './control/testing/call.ts';
import { connectKit, createKit, type Problem } from './kit.ts';

const kit = await createKit({ port: 0, login: 'auto', maxWorlds: 6 });
after(() => kit.close());
const create = (body: object) => callControl<Problem & { readonly name: string }>(kit.url, 'POST', '/worlds', body);
const listUsers = (url: string, token = '', account = '') =>
  fetch(`${url}/users?accountId=${account}`, { headers: { authorization: `Bearer ${token}` } });

test('a world has its own state, clock, faults, journal and keys', async () => {
  await using world = await kit.createWorld({ name: 'one', label: 'the first test' });
  const { contoso } = world.ids.accounts!;
  const token = Object.values(world.tokens)[0];
  assert.equal((await listUsers(world.url, token, contoso)).status, 200);
  const elsewhere = await listUsers(kit.url, token, contoso);
  assert.equal(elsewhere.status, 401);
  assert.match(((await elsewhere.json()) as Problem).detail ?? '', /belongs to the world "one"/);

  await world.state.delete('accounts', 'contoso');
  assert.equal((await kit.state.get('accounts', 'contoso')).id, contoso);
  await world.clock.advance('2h');
  const readOffset = async (url: string) => (await callControl<{ offsetMs: number }>(url, 'GET', '/clock')).body.offsetMs;
  assert.deepEqual([await readOffset(world.url), await readOffset(kit.url)], [7_200_000, 0]);
  await using _ = await world.fault({ fault: 'problem', operation: 'getUsers', status: 503 });
  assert.equal((await listUsers(kit.url, await kit.mint(), contoso)).status, 200);
  assert.equal((await listUsers(world.url, await world.mint(), world.ids.accounts!.fabrikam)).status, 503);
  const readPaths = async (url: string) =>
    (await callControl<{ path: string; status: number }[]>(url, 'GET', '/requests')).body.map(({ path, status }) => `${status} ${path}`);
  assert.equal((await readPaths(world.url)).filter((each) => each.includes('/users')).length, 2);
  assert.ok((await readPaths(world.url)).every((path) => !path.includes('/w/')));
});

test('clients log in at the authorization server of the world', async () => {
  await using world = await kit.createWorld();
  const { accessToken } = await world.login();
  assert.equal((await listUsers(world.url, accessToken, world.ids.accounts!.contoso)).status, 200);
  assert.equal((await listUsers(kit.url, accessToken, world.ids.accounts!.contoso)).status, 401);
  const issuer = `${world.url}/auth`;
  for (const url of [
    `${kit.url}/.well-known/oauth-authorization-server/w/${world.name}/auth`,
    `${issuer}/.well-known/oauth-authorization-server`,
  ])
    assert.equal(((await (await fetch(url)).json()) as { issuer: string }).issuer, issuer);
});

test('events of a world go to its own subscriptions', async () => {
  await using first = await kit.createWorld();
  await using second = await kit.createWorld();
  const events = await first.subscribe(() => {});
  const others = await second.subscribe(() => {});
  await first.trigger('provisioning.user.created', { account: 'contoso' });
  await first.settled();
  assert.ok((await first.deliveries.wait({ subscription: events.id })).length > 0);
  await assert.rejects(second.deliveries.wait({ subscription: others.id, timeoutMs: 50 }));
});

test('a world can be a copy of another world or of a snapshot, be empty, or have its own content and decisions', async () => {
  await using source = await kit.createWorld({ name: 'source' });
  await source.state.add('accounts', { alias: 'added', name: 'Added' });
  await source.clock.advance('1h');
  await using copy = await kit.createWorld({ from: 'source' });
  assert.equal((await copy.state.get('accounts', 'added')).id, (await source.state.get('accounts', 'added')).id);
  assert.equal((await callControl<{ offsetMs: number }>(copy.url, 'GET', '/clock')).body.offsetMs, 3_600_000);
  await callControl(kit.url, 'PUT', '/snapshots/before', {});
  await using restored = await kit.createWorld({ from: 'before' });
  assert.ok(restored.ids.accounts!.contoso);
  await using empty = await kit.createWorld({ from: 'empty' });
  assert.deepEqual(empty.ids.accounts, {});
  await using own = await kit.createWorld({
    fixtures: { world: 'own', accounts: { a: { name: 'A' } } },
    decisions: { 'connections.create.status': 202 },
  });
  assert.deepEqual(Object.keys(own.ids.accounts!), ['a']);
  const { body } = await callControl<{ decisions: Record<string, unknown> }>(own.url, 'GET', '/info');
  assert.equal(body.decisions['connections.create.status'], 202);
});

test('the requests to a world can be read when it has ended', async () => {
  const world = await kit.createWorld({ name: 'ended', label: 'the test of checkout' });
  assert.equal((await listUsers(world.url, await world.mint(), world.ids.accounts!.contoso)).status, 200);
  await world.close();
  const { body: worlds } = await callControl<{ name: string; label: string; requests: number }[]>(kit.url, 'GET', '/ended/worlds');
  assert.deepEqual(
    worlds.filter(({ name }) => name === 'ended').map(({ label, requests }) => [label, requests]),
    [['the test of checkout', 1]],
  );
  const { body: requests } = await callControl<{ path: string; status: number }[]>(kit.url, 'GET', '/ended/worlds/ended/requests');
  assert.deepEqual(
    requests.map(({ path, status }) => [path.split('?')[0], status]),
    [['/users', 200]],
  );
  const unknown = await callControl<Problem>(kit.url, 'GET', '/ended/worlds/other/requests');
  assert.deepEqual([unknown.status, /"other"/.test(unknown.body.detail ?? '')], [404, true]);
});

test('a request for a world that cannot be created says what would be right', async () => {
  await using _ = await kit.createWorld({ name: 'taken' });
  for (const [body, status, pattern] of [
    [{ name: 'taken' }, 409, /already a world "taken"/],
    [{ name: 'Upper Case' }, 400, /lower-case letters/],
    [{ from: 'takn' }, 400, /no world and no snapshot "takn". Did you mean "taken"\?/],
    [{ fixtures: { world: 'x', bogus: 1 } }, 400, /no member "bogus"/],
    [{ decisions: { bogus: 1 } }, 400, /no decision "bogus"/],
  ] as const) {
    const { status: actual, body: problem } = await create(body);
    assert.equal(actual, status);
    assert.match([problem.detail, JSON.stringify(problem.errors)].join(), pattern);
  }
  const inWorld = await callControl<Problem>(`${kit.url}/w/taken`, 'POST', '/worlds', {});
  assert.equal(inWorld.status, 409);
  assert.ok(inWorld.body.detail?.includes(`${kit.url}/_control/worlds`));
});

test('a kit has at most as many worlds as maxWorlds allows, and ended worlds answer 404', async () => {
  const names = await Promise.all(Array.from({ length: 6 }, async () => (await create({})).body.name));
  assert.equal((await create({})).status, 429);
  for (const name of names) assert.equal((await callControl(kit.url, 'DELETE', `/worlds/${name}`)).status, 204);
  assert.equal((await callControl(kit.url, 'DELETE', `/worlds/${names[0]}`)).status, 404);
  const ended = await fetch(`${kit.url}/w/${names[0]}/users`);
  assert.equal(ended.status, 404);
  assert.match(await ended.text(), /has ended/);
  assert.deepEqual((await callControl(kit.url, 'GET', '/worlds')).body, []);
});

test('a world ends when nobody has used it for its idle timeout, but not while a stream is open', async () => {
  for (const name of ['idle', 'watched']) await create({ name, idleTimeoutMs: 1000 });
  const stopping = new AbortController();
  await fetch(`${kit.url}/w/watched/_control/stream`, { signal: stopping.signal });
  const readNames = async () => (await callControl<{ name: string }[]>(kit.url, 'GET', '/worlds')).body.map(({ name }) => name);
  while ((await readNames()).includes('idle')) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await readNames(), ['watched']);
  stopping.abort();
  assert.equal((await callControl(kit.url, 'DELETE', '/worlds/watched')).status, 204);
});

test('a program in another process creates worlds at a kit', async () => {
  await using remote = connectKit(kit.url);
  await using world = await remote.createWorld({ label: 'remote' });
  assert.equal((await listUsers(world.url, await world.mint(), world.ids.accounts!.contoso)).status, 200);
  assert.ok((await fetch(world.consoleUrl)).status < 500);
  await world.close();
  await world.close();
});
