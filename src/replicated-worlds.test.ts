import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { components } from './contract/generated/control.ts';
import { callControl } from './control/testing/call.ts';
import { startKitProcess } from './http/testing/kit-process.ts';
import { createKit, type Kit, type Problem } from './kit.ts';
import { migrations } from './store/migrations.ts';
import { createDatabase } from './store/testing/postgres.ts';

type CreatedWorld = components['schemas']['CreatedWorld'];
type RunningWorld = components['schemas']['RunningWorld'];

/** The lock that a creation takes at its end (postgres/world-records.ts). */
const DIRECTORY_LOCK = 0x78706b34;

const create = async (url: string, body: object = {}) => {
  const { status, body: created } = await callControl<CreatedWorld & Problem>(url, 'POST', '/worlds', body);
  assert.equal(status, 201, JSON.stringify(created));
  return created;
};
const end = async (url: string, name: string) => (await callControl(url, 'DELETE', `/worlds/${name}`)).status;
const list = async (url: string) => (await callControl<RunningWorld[]>(url, 'GET', '/worlds')).body;
const listAccounts = async (url: string) => Object.keys((await callControl<object>(url, 'GET', '/state/accounts')).body).toSorted();
const listUsers = (url: string, { tokens, ids }: CreatedWorld, query = '') =>
  fetch(`${url}/users?accountId=${ids.accounts!.contoso}${query}`, { headers: { authorization: `Bearer ${tokens.full}` } });

describe('worlds of replicas on PostgreSQL', () => {
  let database: string;
  let client: pg.Client;
  let one: Kit;
  let two: Kit;
  before(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database });
    await client.connect();
    const settings = { port: 0, database, logLevel: 'silent', maxWorlds: 20 } as const;
    [one, two] = [await createKit(settings), await createKit(settings)];
  });
  after(async () => {
    await Promise.all([one.close(), two.close()]);
    await client.end();
  });

  const listSchemas = async () =>
    (await client.query<{ name: string }>(`select nspname as name from pg_namespace where nspname like 'w\\_%' order by 1`)).rows.map(
      ({ name }) => name,
    );
  const at = (kit: Kit, { path }: RunningWorld) => `${kit.url}${path}`;

  test('a world that one replica has created answers at the other, with the same tokens, ids, cursors and state', async () => {
    const world = await create(one.url, { name: 'shared', label: 'a test', decisions: { 'connections.create.status': 202 } });
    const page = await listUsers(at(two, world), world, '&pageSize=1');
    assert.equal(page.status, 200);
    const { cursor } = (await page.json()) as { cursor?: string };
    assert.ok(cursor);
    assert.equal((await listUsers(at(one, world), world, `&pageSize=1&cursor=${encodeURIComponent(cursor)}`)).status, 200);
    assert.equal((await listUsers(one.url, world)).status, 401);
    assert.equal((await callControl(at(two, world), 'DELETE', '/state/users/ada')).status, 204);
    assert.equal((await callControl(at(one, world), 'GET', '/state/users/ada')).status, 404);
    assert.ok(await one.state.get('users', 'ada'));
    await callControl(at(one, world), 'POST', '/clock/advance', { by: '1h' });
    const readOffset = async (url: string) => (await callControl<{ offsetMs: number }>(url, 'GET', '/clock')).body.offsetMs;
    assert.deepEqual([await readOffset(at(two, world)), await readOffset(two.url)], [3_600_000, 0]);
    assert.equal((await listUsers(two.url, world, `&pageSize=1&cursor=${encodeURIComponent(cursor)}`)).status, 401);
    const { body: info } = await callControl<{ decisions: Record<string, unknown> }>(at(two, world), 'GET', '/info');
    assert.equal(info.decisions['connections.create.status'], 202);
    const [first, second] = [await list(one.url), await list(two.url)];
    const withoutUrls = (worlds: RunningWorld[]) => worlds.map(({ url, authUrl, console, ...rest }) => rest);
    assert.deepEqual(withoutUrls(first), withoutUrls(second));
    assert.deepEqual(
      first.map(({ name, label, world }) => [name, label, world]),
      [['shared', 'a test', 'demo']],
    );
    assert.equal(await end(two.url, 'shared'), 204);
  });

  test('a world that has ended at one replica answers 404 at the other, and nothing of it remains', async () => {
    const world = await create(one.url, { name: 'ended' });
    const stream = await fetch(`${at(two, world)}/_control/stream`);
    const statuses = new Set<number>();
    let isEnding = true;
    const requests = Array.from({ length: 4 }, async (_, index) => {
      while (isEnding) statuses.add((await listUsers(at(index % 2 === 0 ? one : two, world), world)).status);
    });
    assert.equal(await end(one.url, 'ended'), 204);
    for (const kit of [one, two]) {
      const { status, detail } = (await (await listUsers(at(kit, world), world)).json()) as Problem;
      assert.equal(status, 404);
      assert.match(detail ?? '', /it was never created, or it has ended/);
    }
    isEnding = false;
    await Promise.all(requests);
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 404),
      [],
    );
    await stream.text();
    assert.deepEqual([await listSchemas(), await list(two.url), await end(two.url, 'ended')], [[], [], 404]);
    const next = await create(two.url, { name: 'ended' });
    assert.equal((await listUsers(at(one, next), next)).status, 200);
    assert.equal(await end(one.url, 'ended'), 204);
  });

  test('a replica that starts later has the worlds, with the content that a reset restores', async () => {
    const fixtures = { world: 'own', accounts: { a: { name: 'A' } } };
    await create(one.url, { name: 'own', fixtures });
    await create(one.url, { name: 'copied', from: 'own' });
    const three = await createKit({ port: 0, database, logLevel: 'silent' });
    try {
      for (const name of ['own', 'copied']) {
        const url = `${three.url}/w/${name}`;
        await callControl(url, 'POST', '/state/accounts', { alias: 'b', name: 'B' });
        assert.equal((await callControl(`${one.url}/w/${name}`, 'GET', '/state/accounts/b')).status, 200);
        await callControl(url, 'POST', '/reset', { to: 'seed' });
        assert.deepEqual(await listAccounts(url), ['a']);
      }
      assert.deepEqual(
        (await list(three.url)).map(({ name }) => name),
        ['own', 'copied'],
      );
      for (const name of ['own', 'copied']) assert.equal(await end(three.url, name), 204);
    } finally {
      await three.close();
    }
    assert.deepEqual(await listSchemas(), []);
  });

  test('a world ends when no replica has used it for its idle timeout', async () => {
    const [unused, used, watched] = await Promise.all(
      ['unused', 'used', 'watched'].map((name) => create(one.url, { name, idleTimeoutMs: 3000 })),
    );
    const stopping = new AbortController();
    await fetch(`${at(two, watched!)}/_control/stream`, { signal: stopping.signal });
    const readNames = async () => (await list(one.url)).map(({ name }) => name);
    while ((await readNames()).includes('unused')) {
      assert.equal((await listUsers(at(two, used!), used!)).status, 200);
      await pause(50);
    }
    stopping.abort();
    assert.equal((await listUsers(at(two, unused!), unused!)).status, 404);
    assert.deepEqual((await readNames()).toSorted(), ['used', 'watched']);
    for (const name of ['used', 'watched']) assert.equal(await end(two.url, name), 204);
    while ((await listSchemas()).length > 0) await pause(50);
  });

  test('twenty worlds, as many as maxWorlds allows, share nothing but the connections', async () => {
    const sent = Array.from({ length: 22 }, (_, index) => callControl<CreatedWorld>([one, two][index % 2]!.url, 'POST', '/worlds', {}));
    const answers = await Promise.all(sent);
    const worlds = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    assert.deepEqual([worlds.length, answers.filter(({ status }) => status === 429).length], [20, 2]);
    const rounds = Array.from({ length: 5 }, (_, round) => round);
    await Promise.all(
      worlds.map(async (world, index) => {
        for (const round of rounds) {
          const url = at([one, two][(index + round) % 2]!, world);
          const alias = `account-${index}-${round}`;
          assert.equal((await callControl(url, 'POST', '/state/accounts', { alias, name: alias })).status, 201);
          if (round === 2 && index % 5 === 0) {
            await callControl(url, 'POST', '/reset', { to: 'seed' });
            await callControl(url, 'POST', '/clock/advance', { by: `${index + 1}h` });
          }
        }
      }),
    );
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and application_name like 'xpk%'`,
    );
    assert.ok(Number(rows[0]!.count) <= 2 * (10 + 1), `${rows[0]!.count} connections`);
    for (const [index, world] of worlds.entries()) {
      const url = at([one, two][index % 2]!, world);
      const kept = rounds.filter((round) => index % 5 !== 0 || round > 2).map((round) => `account-${index}-${round}`);
      assert.deepEqual(
        (await listAccounts(url)).filter((alias) => alias.startsWith('account-')),
        kept,
      );
      const { offsetMs } = (await callControl<{ offsetMs: number }>(url, 'GET', '/clock')).body;
      assert.equal(offsetMs, index % 5 === 0 ? (index + 1) * 3_600_000 : 0);
      const paths = (await callControl<{ path: string }[]>(url, 'GET', '/requests?limit=1000')).body.map(({ path }) => path);
      assert.ok(paths.every((path) => !path.includes('/w/')));
    }
    assert.ok((await listAccounts(one.url)).every((alias) => !alias.startsWith('account-')));
    const ended = await Promise.all(worlds.map(({ name }, index) => end([two, one][index % 2]!.url, name)));
    assert.deepEqual(new Set(ended), new Set([204]));
    assert.deepEqual([await listSchemas(), await list(one.url)], [[], []]);
  });

  test('of several requests for a world with the same name, one succeeds', async () => {
    const sent = Array.from({ length: 4 }, (_, index) => callControl([one, two][index % 2]!.url, 'POST', '/worlds', { name: 'same' }));
    assert.deepEqual((await Promise.all(sent)).map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
    assert.equal(await end(one.url, 'same'), 204);
    assert.deepEqual(await listSchemas(), []);
  });

  test('a replica that is killed while it creates or ends a world leaves nothing', async () => {
    const third = startKitProcess(['--database', database], {});
    const { url } = await third.started();
    await client.query('select pg_advisory_lock($1)', [DIRECTORY_LOCK]);
    let isCreated = false;
    const creating = callControl(url, 'POST', '/worlds', { name: 'killed' }).then(() => {
      isCreated = true;
    });
    const isWaiting = async () => (await client.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rows.length > 0;
    while (!(await isWaiting())) assert.ok(!isCreated);
    await Promise.all([assert.rejects(creating), third.stop('SIGKILL')]);
    await client.query('select pg_advisory_unlock($1)', [DIRECTORY_LOCK]);
    while (await isWaiting()) await pause(10);
    assert.deepEqual(await listSchemas(), []);
    await create(one.url, { name: 'killed' });
    // What a replica leaves that is killed before it drops the schema.
    await client.query(`update worlds set name = null`);
    assert.deepEqual(await list(two.url), []);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'xpk-watch'`,
    );
    while ((await listUsers(`${one.url}/w/killed`, { tokens: {}, ids: { accounts: {} } } as never)).status !== 404) await pause(10);
    while ((await client.query(`select from pg_locks where locktype = 'advisory'`)).rows.length > 0) await pause(10);
    await create(two.url, { name: 'killed' });
    assert.equal((await listSchemas()).length, 1);
    assert.equal(await end(one.url, 'killed'), 204);
    assert.deepEqual(await listSchemas(), []);
  });

  test('a newer kit migrates the tables of a world when it opens the world', async () => {
    const world = await create(one.url, { name: 'older' });
    const known = { ...migrations, '9999-next': { postgres: 'create table added (id text);' } };
    const newer = await createKit({ port: 0, database, logLevel: 'silent' }, { migrations: known });
    try {
      assert.equal((await listUsers(at(newer, world), world)).status, 200);
      const { rows } = await client.query(`select table_schema from information_schema.tables where table_name = 'added'`);
      assert.equal(rows.length, 2);
      assert.equal(await end(newer.url, 'older'), 204);
    } finally {
      await newer.close();
    }
  });
});

test('on PostgreSQL, the error says which privilege a user needs to create worlds', async () => {
  const database = await createDatabase();
  const owner = new pg.Client({ connectionString: database });
  await owner.connect();
  const role = `role_${process.pid}`;
  await owner.query(
    `create role ${role} login password 'x'; grant all on schema public to ${role}; grant all on all tables in schema public to ${role}`,
  );
  const kit = await createKit({
    port: 0,
    database: Object.assign(new URL(database), { username: role, password: 'x' }).href,
    logLevel: 'silent',
  });
  try {
    const { status, body } = await callControl<Problem>(kit.url, 'POST', '/worlds', {});
    assert.equal(status, 409);
    assert.match(body.detail ?? '', /GRANT CREATE ON DATABASE/);
  } finally {
    await kit.close();
    await owner.query(`drop owned by ${role}; drop role ${role}`);
    await owner.end();
  }
});
