import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { callControl } from './control/testing/call.ts';
import { openConnection } from './http/testing/dial.ts';
import { createKit, type KitSettings } from './kit.ts';
import { checkNodeVersion } from './node-version.ts';
import { createDatabase } from './store/testing/postgres.ts';
import type { World } from './world/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-kit-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function withKit<T>(settings: KitSettings, use: (kit: Awaited<ReturnType<typeof createKit>>) => Promise<T>): Promise<T> {
  const kit = await createKit({ port: 0, ...settings });
  try {
    return await use(kit);
  } finally {
    await kit.close();
  }
}

type Answer = Readonly<Record<string, unknown>> & { readonly entities?: Readonly<Record<string, number>> };
const control = callControl<Answer>;

test("a world's ready-made tokens are the same at every start, on any port", async () => {
  const first = await withKit({}, (kit) => kit.tokens());
  const second = await withKit({}, (kit) => kit.tokens());
  assert.ok(Object.keys(first).length > 0);
  assert.deepEqual(first, second);
});

test('the control API returns the settings for deliveries', async () => {
  await withKit({ retries: 'off', destinations: 'strict', deliveryTimeout: '2s' }, async ({ url }) => {
    const { retries, destinations, deliveryTimeout } = (await control(url, 'GET', '/info')).body.settings as Record<string, unknown>;
    assert.deepEqual([retries, destinations, deliveryTimeout], ['off', 'strict', 2000]);
  });
});

test("a kit that starts with an existing data file has the previous kit's state and clock", async () => {
  const data = join(folder, 'kept.db');
  await withKit({ data }, async ({ url }) => {
    assert.equal((await control(url, 'POST', '/state/accounts', { alias: 'wingtip', name: 'Wingtip Toys' })).status, 201);
    await control(url, 'POST', '/clock/advance', { by: '2h' });
  });
  await withKit({ data }, async ({ url, clock }) => {
    assert.equal((await control(url, 'GET', '/state/accounts/wingtip')).body.name, 'Wingtip Toys');
    assert.equal(clock.offset, 7_200_000);
  });
});

test('the list of ready-made tokens contains only tokens that the service accepts', async () => {
  await withKit({}, async ({ url }) => {
    const before = (await control(url, 'GET', '/info')).body.tokens as Record<string, string>;
    for (const path of ['/clients/acme-worker-1', '/principals/reader']) await control(url, 'DELETE', `/state${path}`);
    const after = (await control(url, 'GET', '/info')).body.tokens as Record<string, string>;
    for (const [name, token] of Object.entries(before)) {
      const call = await fetch(`${url}/experience/assignments?accountId=x`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(call.status === 401, after[name] === undefined, name);
    }
    const gone = Object.keys(before).filter((name) => after[name] === undefined);
    assert.deepEqual(gone.toSorted(), ['reader', 'worker-1']);
  });
});

test('the world in the settings replaces the world in a data file only at a reset', async () => {
  const data = join(folder, 'known.db');
  await withKit({ data }, async (kit) => assert.equal(kit.fresh, true));
  await withKit({ data, fixtures: 'empty' }, async (kit) => {
    assert.deepEqual([kit.fresh, kit.world()], [false, 'demo']);
    await control(kit.url, 'POST', '/reset', { to: 'seed' });
    assert.equal(kit.world(), 'empty');
  });
});

test('kit time can advance by at most a year in one call and a century in total, and a refused call does not change kit time', async () => {
  await withKit({}, async (kit) => {
    await kit.clock.advance('1h30m');
    assert.equal(kit.clock.offset, 5_400_000);
    assert.equal((await control(kit.url, 'PATCH', '/state/principals/manager', { name: 'Still here' })).status, 200);
    assert.equal(kit.clock.offset, 5_400_000);
    for (const by of ['366d', '99999999999999d']) assert.equal((await control(kit.url, 'POST', '/clock/advance', { by })).status, 400);
    await assert.rejects(kit.clock.advance(-1), /can be moved forward by at most a year/);
    for (let year = 0; year < 99; year++) await kit.clock.advance('365d');
    await assert.rejects(kit.clock.advance('365d'), /century/);
    assert.equal((await control(kit.url, 'GET', '/clock')).status, 200);
  });
});

test('two kits on one PostgreSQL database share entities, callers and the clock', async () => {
  const database = await createDatabase();
  await withKit({ database }, (one) =>
    withKit({ database }, async (two) => {
      const token = (await one.tokens()).full as string;
      const read = (url: string) => fetch(`${url}/users/2065550001`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal((await read(two.url)).status, 200);
      await control(one.url, 'POST', '/clock/advance', { by: '1h' });
      assert.equal((await control(two.url, 'GET', '/clock')).body.offsetMs, 3_600_000);
      assert.equal((await control(one.url, 'DELETE', '/state/clients/acme-web')).status, 204);
      assert.equal((await read(two.url)).status, 401);
    }),
  );
});

test('a reset restores the world that the kit started with, sets kit time to wall time and removes faults', async () => {
  await withKit({}, async ({ url, clock }) => {
    const seeded = (await control(url, 'GET', '/state')).body;
    await control(url, 'DELETE', '/state/accounts/northwind');
    await control(url, 'POST', '/clock/advance', { by: '1d' });
    await control(url, 'POST', '/faults', { fault: 'latency', latencyMs: 1 });
    assert.equal((await control(url, 'POST', '/reset', { to: 'seed' })).status, 200);
    assert.deepEqual((await control(url, 'GET', '/state')).body, seeded);
    assert.equal(clock.offset, 0);
    assert.deepEqual((await control(url, 'GET', '/faults')).body, []);
    assert.equal((await control(url, 'POST', '/reset', { to: 'empty' })).body.entities?.users, 0);
  });
});

test('closing a kit ends the latency of a fault, and the delayed request gets its usual response', async () => {
  const { delayed } = await withKit({}, async ({ url, tokens }) => {
    await control(url, 'POST', '/faults', { fault: 'latency', latencyMs: 600_000 });
    const { full } = await tokens();
    const delayedRequest = fetch(`${url}/users/unknown`, { headers: { authorization: `Bearer ${full}` } });
    while (JSON.stringify((await control(url, 'GET', '/faults')).body).includes('"hits":0'));
    return { delayed: delayedRequest };
  });
  assert.equal((await delayed).status, 404);
});

test('a kit that drains ends its streams at once, and still answers requests', async () => {
  const kit = await createKit({ port: 0, drain: 2_000 });
  const stream = await fetch(`${kit.url}/_control/stream`);
  const closed = kit.close();
  assert.match(await stream.text(), /the stream is open/);
  assert.equal((await control(kit.url, 'GET', '/health')).body.status, 'draining');
  await closed;
});

test('a kit that stops while 50 streams are open cuts none of 20 POST requests off', async () => {
  const kit = await createKit({ port: 0 });
  const streams = await Promise.all(Array.from({ length: 50 }, () => fetch(`${kit.url}/_control/stream`)));
  const body = JSON.stringify({ account: 'northwind', firstName: 'Ada', lastName: 'Lovelace' });
  const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const post = `POST /_control/state/users HTTP/1.1\r\n${head}\r\n\r\n`;
  const sent = Array.from({ length: 20 }, () => openConnection(kit.port, post));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const closed = kit.close();
  for (const { socket, waitForText } of await Promise.all(sent)) {
    socket.write(body);
    assert.match(await waitForText(/Lovelace/), /^HTTP\/1\.1 201 /);
  }
  for (const stream of streams) assert.match(await stream.text(), /the stream is open/);
  await closed;
});

test('a kit stores only the newest events and changes, and pending and held deliveries, however many requests it handles', async () => {
  const types: ['provisioning.user.created'] = ['provisioning.user.created'];
  const fixtures: World = {
    world: 'bounded',
    providers: { acme: { name: 'Acme' } },
    experiences: { bot: { provider: 'acme', name: 'Bot', type: 'GENERAL' } },
    accounts: { northwind: { name: 'Northwind' } },
    assignments: { whole: { experience: 'bot', targetType: 'ACCOUNT', target: 'northwind' } },
    subscriptions: { inbox: { provider: 'acme', types }, held: { provider: 'acme', types, mode: { hold: true } } },
  };
  const capacity = 10;
  await using kit = await createKit({ port: 0, fixtures }, { historyCapacity: capacity });
  const count = async (table: 'events' | 'delivery_attempts' | 'inbox' | 'changes') =>
    (await kit.store.db.selectFrom(table).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count;
  const created: unknown[] = [];
  let most = 0;
  for (let n = 0; n < 400; n++) {
    created.push(
      (await control(kit.url, 'POST', '/state/users', { account: 'northwind', firstName: 'Ada', lastName: 'Lovelace' })).body.id,
    );
    most = Math.max(most, await count('delivery_attempts'), await count('inbox'), await count('changes'));
  }
  assert.ok(most >= 100 && most <= 200, `${most} rows in a table`);
  assert.equal(await count('events'), 400, 'an event with a held delivery is kept');
  await kit.store.db.updateTable('deliveries').set({ state: 'exhausted' }).execute();
  for (let n = 0; (await count('events')) > 200; n++) {
    assert.ok(n < 400, 'the events are removed with their last deliveries');
    created.push((await control(kit.url, 'POST', '/state/users', { account: 'northwind' })).body.id);
  }
  const { id } = (await kit.store.db.selectFrom('events').select('entity_id as id').orderBy('id', 'desc').executeTakeFirst()) ?? {};
  assert.equal(id, created.at(-1), 'the newest events are kept');
});

test('a reset that fails changes nothing', async () => {
  await withKit({ logLevel: 'silent' }, async ({ url, store }) => {
    await control(url, 'DELETE', '/state/accounts/northwind');
    await control(url, 'POST', '/faults', { fault: 'latency', latencyMs: 1 });
    const before = (await control(url, 'GET', '/state')).body;
    await sql`create trigger refuse before delete on faults begin select raise(abort, 'refused'); end`.execute(store.db);
    assert.equal((await control(url, 'POST', '/reset', { to: 'seed' })).status, 500);
    assert.deepEqual((await control(url, 'GET', '/state')).body, before);
  });
});

test('a scenario sets decisions, faults and the clock, and a reset to the seed sets the same values again', async () => {
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(
    scenario,
    'world: demo\ndescription: a test\ndecisions: { assignments.create.duplicate: 422 }\nfaults: [{ fault: authorization-service-down }]\nclock: { advance: 1h }\n',
  );
  await withKit({ scenario }, async (kit) => {
    const authorization = `Bearer ${(await kit.tokens()).full}`;
    const read = async (headers: Record<string, string>) => (await fetch(`${kit.url}/users/2065550001`, { headers })).status;
    const isRefused = async () => {
      assert.equal(kit.decisions['assignments.create.duplicate'], 422);
      assert.equal(kit.clock.offset, 3_600_000);
      assert.equal(await read({ authorization }), 503);
      // A request without a token gets 401, because the token is checked before the permissions.
      assert.equal(await read({}), 401);
    };
    await isRefused();
    await control(kit.url, 'DELETE', '/faults');
    assert.equal(await read({ authorization }), 200);
    await control(kit.url, 'POST', '/reset', { to: 'seed' });
    await isRefused();
  });
});

test('the error for a port that is in use suggests setting another port', () =>
  withKit({}, ({ port }) => assert.rejects(createKit({ port }), { code: 'EADDRINUSE', message: /port: 0 for any free port/ })));

test('a kit releases its port if the dispatcher cannot start', async () => {
  const data = join(folder, 'broken.db');
  const { port, url } = await withKit({ data }, async (kit) => {
    await kit.store.db.schema.dropTable('deliveries').execute();
    return kit;
  });
  await assert.rejects(createKit({ port, data }), /no such table: deliveries/);
  await assert.rejects(fetch(url), (error: Error) => (error.cause as { code?: string }).code === 'ECONNREFUSED');
});

test('checkNodeVersion throws in versions before Node.js 22.19, and the message contains the required version', () => {
  assert.throws(() => checkNodeVersion('v22.18.0', '/usr/bin/node'), {
    message: 'experience-provider-kit needs Node.js 22.19 or later, but it runs on v22.18.0 (/usr/bin/node).',
  });
  for (const version of ['v22.19.0', 'v24.0.0', 'v26.0.0']) checkNodeVersion(version, '/usr/bin/node');
});

const refusedSettings: [string, KitSettings, RegExp][] = [
  ['a port out of range', { port: 70_000 }, /whole number from 0 to 65535/],
  ['the control API without a token on a host that is not loopback', { host: '0.0.0.0' }, /control-token/],
  ['an unknown login mode', { login: 'magic' as never }, /one of page, auto, deny/],
  ['a short control token', { controlToken: 'short' }, /at least 16/],
  ...['https://kit.test/', 'https://kit.test?a=1', 'https://kit.test/xpk#b', 'https://me@kit.test', 'ftp://kit.test'].map(
    (publicUrl): [string, KitSettings, RegExp] => [`the public URL ${publicUrl}`, { publicUrl }, /without a trailing slash, user, query/],
  ),
  ...['http://localhost:5173/app', 'localhost:5173', '*', 'http://*.test', 'file:///a', 'http://a@localhost', ''].map(
    (origin): [string, KitSettings, RegExp] => [
      `"${origin}" as an allowed origin`,
      { allowOrigin: [origin] },
      /such as http:\/\/localhost:5173/,
    ],
  ),
  ['an allowed origin without the control API', { allowOrigin: ['http://a.test'], control: false }, /no effect without the control API/],
  ['an empty allowed host', { allowHost: [''] }, /"allowHost" is empty/],
  ['an empty data file', { data: '' }, /"data" is empty/],
  ['a principal claim that is not a URN', { set: { 'auth.principal-claim': 'foo' } }, /must match pattern "\^urn:/],
  ['an unknown decision', { set: { 'no.such': 1 } as never }, /no decision "no.such"/],
  ['a delivery timeout of zero', { deliveryTimeout: 0 }, /duration such as 2s, or a number of milliseconds, from 1ms to 60s, not 0\./],
  ['a negative delivery timeout', { deliveryTimeout: -5 }, /duration .*from 1ms to 60s, not -5\./],
  ['a delivery timeout above a minute', { deliveryTimeout: '61s' }, /duration .*from 1ms to 60s, not 61s\./],
  ['a delivery timeout that is not a duration', { deliveryTimeout: 'soon' }, /duration .*from 1ms to 60s, not soon\./],
  ['unknown retries', { retries: 'sometimes' as never }, /one of standard, fast, off/],
  ['unknown destinations', { destinations: 'anywhere' as never }, /one of local, strict/],
  ['a world that does not match the schema', { fixtures: { world: 'x', accounts: { a: {} } } as never }, /name/],
  ['a world and a scenario', { fixtures: 'demo', scenario: 'slow' }, /not both/],
  ['a data file and a database', { data: 'x.db', database: 'postgres://x' }, /one of them/],
];
for (const [what, settings, reason] of refusedSettings) {
  test(`createKit refuses ${what}`, async () => {
    await assert.rejects(createKit({ ...settings }), (error: Error) => {
      assert.match(error.message, reason);
      return true;
    });
  });
}
