import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createKit } from '../kit.ts';
import { callControl } from './testing/call.ts';

const kit = await createKit({ port: 0 });
after(() => kit.close());
const reset = (to: string) => callControl(kit.url, 'POST', '/reset', { to });
beforeEach(() => reset('seed'));

type Entities = Record<string, Record<string, unknown>>;
interface Problem {
  readonly detail: string;
  readonly errors?: { readonly pointer: string; readonly message: string }[];
}
const get = <Body = Entities>(path: string) => callControl<Body>(kit.url, 'GET', path);
const downloadFile = async () => (await fetch(`${kit.url}/_control/world/file`)).text();
const upload = (yaml: string, name?: string) => callControl<Problem>(kit.url, 'PUT', '/world/file', { yaml, name });

test('each page of a collection starts after the last alias on the previous page', async () => {
  const { body: all } = await get('/state/users');
  const found: string[] = [];
  for (;;) {
    const { body } = await get(`/state/users?limit=2${found.length > 0 ? `&after=${encodeURIComponent(found.at(-1)!)}` : ''}`);
    assert.ok(Object.keys(body).length <= 2);
    if (Object.keys(body).length === 0) break;
    found.push(...Object.keys(body));
  }
  assert.deepEqual(found, Object.keys(all));
  assert.equal(Object.keys((await get(`/state/users?limit=${found.length}`)).body).length, found.length);
});

test('a page can have more entities than one query reads', async () => {
  const world = { world: 'many', accounts: { one: { name: 'One' } }, generate: { users: [{ alias: 'user', account: 'one', count: 450 }] } };
  await callControl(kit.url, 'PUT', '/state', world);
  for (const limit of [200, 201, 400, 1000])
    assert.equal(Object.keys((await get(`/state/users?limit=${limit}`)).body).length, Math.min(limit, 450));
});

test('a collection can be searched by alias, and % and _ have no special meaning', async () => {
  await callControl(kit.url, 'POST', '/state/accounts', { alias: '100%_Sure\\', name: 'One' });
  assert.deepEqual(Object.keys((await get('/state/accounts?search=NORTH')).body), ['northwind']);
  for (const text of ['%', '_', '\\', '%_s'])
    assert.deepEqual(Object.keys((await get(`/state/accounts?search=${encodeURIComponent(text)}`)).body), ['100%_Sure\\'], text);
});

test("an owner's entities are selected by the owner's alias or id", async () => {
  const { body: all } = await get('/state/users');
  const { body: account } = await get<{ id: string }>('/state/accounts/northwind');
  const expected = Object.keys(all).filter((alias) => all[alias]?.account === 'northwind');
  assert.ok(expected.length > 0 && expected.length < Object.keys(all).length);
  for (const name of ['northwind', account.id]) assert.deepEqual(Object.keys((await get(`/state/users?account=${name}`)).body), expected);
  const { body: assignments } = await get('/state/assignments?account=northwind&experience=reception');
  assert.ok(Object.keys(assignments).length > 0);
  for (const { experience } of Object.values(assignments)) assert.equal(experience, 'reception');
  const target = String(Object.values(assignments).find(({ targetType }) => targetType === 'PHONE_NUMBER')?.target);
  const { body: assigned } = await get(`/state/assignments?target=${encodeURIComponent(target)}`);
  assert.ok(Object.keys(assigned).length > 0 && Object.values(assigned).every((assignment) => assignment.target === target));
});

test('a world file contains each collection once, even with many entities, and uploading the file restores the state', async () => {
  const users = [{ alias: 'user', account: 'one', count: 401 }];
  const many = { world: 'many', accounts: { one: { name: 'One\n\ntwo' } }, generate: { users } };
  for (const load of [() => reset('seed'), () => callControl(kit.url, 'PUT', '/state', many)]) {
    await load();
    const readWorld = async () => [(await get('/state')).body, (await get('/world')).body];
    const [yaml, before] = [await downloadFile(), await readWorld()];
    assert.equal(yaml.match(/^users:/gm)?.length, 1);
    await reset('empty');
    assert.equal((await upload(yaml)).status, 200);
    assert.deepEqual(await readWorld(), before);
  }
});

test('a file that is not a world is refused with the line of each problem, and changes nothing', async () => {
  const { body: before } = await get<object>('/state');
  const wrong = 'world: mine\nusers:\n  ada: { account: nobody }\n  bob: { acount: nobody }\n';
  const { status, body } = await upload(wrong, '<b>mine</b>.yaml');
  assert.equal(status, 400);
  assert.ok(body.errors?.every(({ pointer, message }) => pointer === '/yaml' && message.startsWith('<b>mine</b>.yaml:4:')));
  const syntax = await upload('world: [\n');
  assert.match(syntax.body.detail, /^world\.yaml:\d+:\d+: /);
  assert.deepEqual((await get<object>('/state')).body, before);
});

test('other requests are answered while a large world file is parsed, and only the first problems are listed', async () => {
  const events: string[] = [];
  process.once('worker', async () => {
    await get('/live');
    events.push('another request');
  });
  const { status, body } = await upload(`world: w\n${Array.from({ length: 20_000 }, (_, i) => `key${i}: 1\n`).join('')}`);
  events.push('the upload');
  assert.deepEqual([events, status], [['another request', 'the upload'], 400]);
  assert.equal(body.errors?.length, 51);
  assert.equal(body.errors?.at(-1)?.message, '… and 19950 more problems');
});

test('a scenario replaces the world and the faults', async () => {
  const { body: listed } = await get<{ name: string; faults: number }[]>('/scenarios');
  assert.equal(listed.find(({ name }) => name === 'slow')?.faults, 1);
  await callControl(kit.url, 'DELETE', '/state/users/ada');
  assert.equal((await callControl(kit.url, 'POST', '/scenarios/slow/load')).status, 200);
  assert.equal((await get('/state/users/ada')).status, 200);
  const { body: faults } = await get<{ fault: string }[]>('/faults');
  assert.deepEqual(
    faults.map(({ fault }) => fault),
    ['latency'],
  );
});

test('users can be searched by their names, and the names of the entities whose ids a text contains can be read', async () => {
  const user = { alias: 'hedy', account: 'northwind', firstName: 'Hedwig', lastName: 'Kiesler' };
  const { body: created } = await callControl<{ id: string }>(kit.url, 'POST', '/state/users', user);
  assert.deepEqual(Object.keys((await get('/state/users?search=WIG%20kies')).body), ['hedy']);
  const { body: connection } = await get<{ id: string }>('/state/connections/northwind-reception');
  const unknown = '00000000-0000-7000-8000-000000000000';
  const { body } = await callControl<Entities>(kit.url, 'POST', '/names', { text: `/users/${created.id}?x=${connection.id},${unknown}` });
  assert.deepEqual(body, {
    [created.id]: { collection: 'users', alias: 'hedy', name: 'Hedwig Kiesler' },
    [connection.id]: { collection: 'connections', alias: 'northwind-reception', name: 'Northwind Traders – Acme Reception' },
  });
  // People know a subscription without an alias by its URL.
  const subscription = { provider: 'acme', types: ['experience.connection.created'], destinationUrl: 'http://127.0.0.1:9/hook' };
  const { body: subscribed } = await callControl<{ id: string }>(kit.url, 'POST', '/subscriptions', subscription);
  const { body: named } = await callControl<Entities>(kit.url, 'POST', '/names', { text: subscribed.id });
  assert.deepEqual(named, { [subscribed.id]: { collection: 'subscriptions', alias: subscribed.id, name: subscription.destinationUrl } });
  const readNames = async (request: object) => (await callControl<Entities>(kit.url, 'POST', '/names', request)).body;
  const ada = { collection: 'users', alias: 'hedy', name: 'Hedwig Kiesler' };
  assert.deepEqual(await readNames({ text: 'PATCH /_control/state/users/hedy?as=portal, users/nobody, users/%00%' }), {
    'users/hedy': ada,
  });
  assert.deepEqual(await readNames({ search: 'IG kies' }), { [created.id]: ada });
  assert.deepEqual(await readNames({ search: created.id, collections: ['users'] }), { [created.id]: ada });
  assert.deepEqual(Object.keys(await readNames({ search: '065550100', collections: ['telephoneNumbers'] })), ['+12065550100']);
  assert.equal(Object.keys(await readNames({ search: 'a', limit: 1, collections: ['users', 'accounts'] })).length, 2);
  assert.deepEqual(Object.keys((await get('/state/connections?search=traders%20%E2%80%93%20acme%20rec')).body), ['northwind-reception']);
});

test('an entity can refer to another one by its name, if no other has the same name', async () => {
  const before = await get('/state/principals/manager');
  const create = <Body = { account: string; errors: { pointer: string; message: string }[] }>(collection: string, body: object) =>
    callControl<Body>(kit.url, 'POST', `/state/${collection}`, body);
  const { status, body } = await create('users', { alias: 'by-name', account: 'Northwind Traders' });
  assert.deepEqual([status, body.account], [201, 'northwind']);
  await create('accounts', { alias: 'twin', name: 'Northwind Traders' });
  const refused = await create('users', { account: 'Northwind Traders' });
  assert.equal(refused.status, 400);
  const message = 'Several accounts are named "Northwind Traders". Use an alias: northwind, twin.';
  assert.deepEqual(refused.body.errors, [{ pointer: '/account', message }]);
  const levels = { accounts: { 'Contoso Ltd.': 'read' } };
  const principal = await callControl<{ accounts: object }>(kit.url, 'PATCH', '/state/principals/manager', levels);
  assert.deepEqual(principal.body.accounts, { ...(before.body as { accounts: object }).accounts, contoso: 'read' });
});
