import assert from 'node:assert/strict';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { connectKit, createKit, type Kit } from './kit.ts';

const kit = await createKit({ port: 0, login: 'auto' });
const world = await kit.createWorld({ name: 'one' });
after(() => kit.close());

/** Sends a request to this machine, because many systems do not resolve names such as `one.localhost`. */
async function send({ port }: Pick<Kit, 'port'>, host: string, path: string, headers = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  request({ host: '127.0.0.1', port, path, headers: { ...headers, host } }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: (await json(response)) as Record<string, unknown> };
}

test('the host NAME.localhost is the world NAME, with this base URL in its documents, issuer, problems and links', async () => {
  const host = `one.localhost:${kit.port}`;
  const token = await world.mint();
  const { ada } = world.ids.users!;
  const found = await send(kit, host, `/users/${ada}`, { authorization: `Bearer ${token}` });
  assert.equal(found.status, 200);
  const home = await send(kit, host, '/', { accept: 'application/json' });
  assert.deepEqual([home.body.api, home.body.console], [`http://${host}`, `http://${host}/_console/`]);
  const metadata = `/.well-known/oauth-authorization-server`;
  for (const path of [`/auth${metadata}`, `${metadata}/auth`])
    assert.equal((await send(kit, host, path)).body.issuer, `http://${host}/auth`);
  const { servers } = (await send(kit, host, '/openapi.json')).body as { servers: { url: string }[] };
  assert.ok(servers.every(({ url }) => url.startsWith(`http://${host}`) && !url.includes('/w/')));
  const refused = await send(kit, host, `/users/${ada}`);
  assert.deepEqual([refused.status, refused.body.instance], [401, `/users/${ada}`]);
  assert.equal(refused.headers.link, `</_console/requests/${refused.body.traceId}>; rel="help"`);
  assert.equal((await send(kit, host, '/w/one/_control/info')).status, 404);
  const { body: info } = await send(kit, host, '/_control/info');
  assert.deepEqual(Object.keys(info.tokens as object), Object.keys(world.tokens));
});

test('a host with an unknown name is no world, unless the settings contain the name', async () => {
  const unknown = await send(kit, `nobody.localhost:${kit.port}`, '/_control/info');
  assert.deepEqual([unknown.status, /There is no world "nobody"/.test(String(unknown.body.detail))], [404, true]);
  await using other = await createKit({ port: 0, allowHost: ['kit.localhost'], publicUrl: 'http://api.localhost' });
  for (const host of ['kit.localhost', 'api.localhost', 'API.localhost:80', 'localhost'])
    assert.equal((await send(other, host, '/_control/info')).status, 200, host);
});

test("a kit's public URL is not the base URL for a host that names a world", async () => {
  await using other = await createKit({ port: 0, publicUrl: 'https://kit.example' });
  await using own = await other.createWorld({ name: 'two' });
  const path = '/auth/.well-known/oauth-authorization-server';
  assert.equal((await send(other, 'two.localhost', path)).body.issuer, 'http://two.localhost/auth');
  assert.equal((await send(other, 'kit.example', `/w/${own.name}${path}`)).body.issuer, 'https://kit.example/w/two/auth');
});

test('connectKit accepts the URL of a world in both forms, and creates further worlds at the kit', async () => {
  for (const url of [`http://one.localhost:${kit.port}/`, world.url]) {
    await using connected = connectKit(url.replace('127.0.0.1', 'localhost'));
    assert.equal(connected.url, `http://localhost:${kit.port}/w/one`);
    assert.equal(await connected.id('users', 'ada'), world.ids.users!.ada);
    const { accessToken } = await connected.login();
    assert.ok(accessToken);
    await using further = await connected.createWorld({ name: 'further' });
    assert.equal(further.url, `http://localhost:${kit.port}/w/further`);
  }
});
