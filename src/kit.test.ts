import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createKit, type KitSettings } from './kit.ts';
import { freshDatabase } from './store/testing/postgres.ts';

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
const control = async (url: string, method: string, path: string, body?: unknown) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/_control${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (response.status === 204 ? {} : await response.json()) as Answer };
};

test('the tokens of a world are the same at every start, on any port', async () => {
  const first = await withKit({}, (kit) => kit.tokens());
  const second = await withKit({}, (kit) => kit.tokens());
  assert.ok(Object.keys(first).length > 0);
  assert.deepEqual(first, second);
});

test('a kept file still has its state, its changes and its clock at the next start', async () => {
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

test('two kits on one PostgreSQL share entities, callers and the clock', async () => {
  const database = await freshDatabase();
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

test('a reset brings back the world of the start and wall time, and takes faults away', async () => {
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

test('a dump that is loaded gives the same dump', async () => {
  await withKit({}, async ({ url }) => {
    await control(url, 'POST', '/state/users', { alias: 'hedy', account: 'northwind', firstName: 'Hedy' });
    const { body } = await control(url, 'GET', '/state');
    assert.equal((await control(url, 'PUT', '/state', body)).status, 200);
    assert.deepEqual((await control(url, 'GET', '/state')).body, body);
  });
});

test('a scenario sets its decisions, faults and clock', async () => {
  await withKit({ scenario: 'authorization-down' }, async ({ url, tokens }) => {
    const response = await fetch(`${url}/users/2065550001`, { headers: { authorization: `Bearer ${(await tokens()).full}` } });
    assert.equal(response.status, 503);
  });
});

const refused: [string, KitSettings, RegExp][] = [
  ['a port out of range', { port: 70_000 }, /whole number from 0 to 65535/],
  ['the control API beyond loopback without a token', { host: '0.0.0.0' }, /control-token/],
  ['a short control token', { controlToken: 'short' }, /at least 16/],
  ['a public URL with a path slash at its end', { publicUrl: 'https://kit.test/' }, /without a slash/],
  ['a decision of no kind', { set: { 'no.such': 1 } as never }, /no decision "no.such"/],
  ['a decision of a part that is not served', { set: { 'oauth.client-basic': 'accepted' } as never }, /not served yet/],
  ['a world of the wrong form', { fixtures: { world: 'x', accounts: { a: {} } } as never }, /name/],
  ['a world and a scenario', { fixtures: 'demo', scenario: 'slow' }, /not both/],
  ['a file and a database', { data: 'x.db', database: 'postgres://x' }, /one of them/],
];
for (const [what, settings, reason] of refused) {
  test(`refused with a reason: ${what}`, async () => {
    await assert.rejects(createKit({ ...settings }), (error: Error) => {
      assert.match(error.message, reason);
      return true;
    });
  });
}
