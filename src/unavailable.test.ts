import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { openEventSource } from './control/testing/event-source.ts';
import type { Observation } from './http/observation.ts';
import { createKit, type Kit } from './kit.ts';
import { createDatabase } from './store/testing/postgres.ts';
import { startProxy } from './store/testing/proxy.ts';
import { createFlow } from './testing/oauth-flow.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-unavailable-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function createClient({ url, authUrl, tokens }: Kit) {
  const authorization = `Bearer ${(await tokens()).full}`;
  const summarize = async (response: Response) => {
    const type = response.headers.get('content-type')?.includes('json') ? ((await response.json()) as { type?: string }).type : undefined;
    return type === undefined ? response.status : [response.status, type, response.headers.get('retry-after')];
  };
  const send = async (method: string, path: string, body?: object) =>
    summarize(
      await fetch(`${url}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const { id: connectionId } = (await (await fetch(`${url}/_control/state/connections/contoso-scheduler`)).json()) as { id: string };
  const { id: experienceId } = (await (await fetch(`${url}/_control/state/experiences/concierge`)).json()) as { id: string };
  return {
    read: () => send('GET', '/users/2065550001'),
    check: () => send('GET', `/experiences/${experienceId}/assignability?targetType=PHONE_NUMBER&targetValue=%2B12065550100`),
    setState: (state: 'ACTIVE' | 'INACTIVE') => send('PUT', `/experience-connections/${connectionId}`, { state }),
    write: (alias: string) => send('POST', '/_control/state/accounts', { alias, name: 'x'.repeat(8_000) }),
    async authorize() {
      const { status, headers } = await createFlow(authUrl).authorize();
      return status === 303 ? status : [status, headers.get('retry-after')];
    },
    async health() {
      const response = await fetch(`${url}/_control/health`);
      return [
        response.status,
        (await response.json()) as { status: string; parts: { database: { status: string; reason?: string } } },
      ] as const;
    },
  };
}

const UNAVAILABLE_RESPONSE = [503, '/problems/http.unavailable', '1'];

for (const data of [undefined, join(folder, 'full.db')]) {
  test(`on a full disk, every write gets a 503, and writes work again once the disk has space (${data ? 'file' : 'in memory'})`, async (t) => {
    const kit = await createKit({ port: 0, logLevel: 'silent', ...(data && { data }) });
    t.after(() => kit.close());
    const { read, write, setState, authorize, health } = await createClient(kit);
    assert.equal(await write('before'), 201);
    const auth = createFlow(kit.authUrl);
    const code = await auth.obtainAuthorizationCode();
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(kit.store.db);
    await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(kit.store.db);
    // Partly used database pages have space for some writes, so write until one fails.
    while ((await write(crypto.randomUUID())) === 201);
    while ((await setState('INACTIVE')) === 200 && (await setState('ACTIVE')) === 200);
    while ((await authorize()) === 303);
    assert.deepEqual(await Promise.all([write('one'), write('two')]), [UNAVAILABLE_RESPONSE, UNAVAILABLE_RESPONSE]);
    assert.deepEqual(await authorize(), [503, '1']);
    const refused = await auth.exchange(code);
    assert.deepEqual([refused.status, refused.body.error, refused.headers.get('retry-after')], [503, 'temporarily_unavailable', '1']);
    assert.equal(await read(), 200);
    const [status, { parts, ...rest }] = await health();
    assert.deepEqual([status, rest, parts.database.status], [503, { status: 'degraded', engine: 'sqlite' }, 'read-only']);
    assert.match(parts.database.reason ?? '', /disk is full/);

    await sql`pragma max_page_count = 1000000`.execute(kit.store.db);
    assert.deepEqual(await health(), [200, { status: 'up', engine: 'sqlite', parts: { database: { status: 'up' } } }]);
    assert.equal(await write('after'), 201);
    assert.equal(await authorize(), 303);
  });
}

// The tests mostly wait for timeouts, so they run concurrently.
describe('PostgreSQL', { concurrency: true }, () => {
  for (const outage of ['stop', 'freeze'] as const) {
    test(`while PostgreSQL ${outage === 'stop' ? 'is stopped' : 'does not respond'}, every request that needs the database gets a 503, and the kit recovers without a restart`, async (t) => {
      const proxy = await startProxy(await createDatabase());
      t.after(() => proxy.close());
      const kit = await createKit({ port: 0, logLevel: 'silent', database: proxy.url });
      t.after(() => kit.close());
      const { read, check, write, setState, authorize, health } = await createClient(kit);
      const stream = await openEventSource(`${kit.url}/_control/stream?only=deliveries`);
      // More requests than connections in the pool, so some requests wait.
      const reads = Array.from({ length: 10 }, () => [read, check]).flat();
      await Promise.all(reads.map((again) => again()));

      await proxy[outage]();
      assert.deepEqual(await Promise.all(reads.map((again) => again())), Array(20).fill(UNAVAILABLE_RESPONSE));
      assert.deepEqual(await write('during'), UNAVAILABLE_RESPONSE);
      assert.deepEqual(await setState('INACTIVE'), UNAVAILABLE_RESPONSE);
      assert.deepEqual(await authorize(), [503, '1']);
      assert.equal((await fetch(`${kit.authUrl}/.well-known/oauth-authorization-server`)).status, 200);
      const [status, { parts, ...rest }] = await health();
      assert.deepEqual([status, rest, parts.database.status], [503, { status: 'degraded', engine: 'postgres' }, 'down']);
      assert.match(parts.database.reason ?? '', outage === 'stop' ? /nothing listens at this address/ : /does not respond/);
      assert.doesNotMatch(parts.database.reason ?? '', /password/);

      await proxy.resume();
      while ((await health())[0] !== 200);
      assert.equal(await read(), 200);
      assert.equal(await write('after'), 201);
      assert.equal(await authorize(), 303);
      assert.equal(await setState('INACTIVE'), 200);
      assert.equal((await stream.next()).data.state, 'acknowledged');
      await stream.close();
    });
  }

  test('while PostgreSQL is stopped, a proxy answers with a 503, and the metrics count it', async (t) => {
    const database = await startProxy(await createDatabase());
    t.after(() => database.close());
    const observations: unknown[] = [];
    const observe = ({ operationId, status, step }: Observation) => observations.push([operationId, status, step]);
    const upstream = { api: 'http://127.0.0.1:1' };
    const kit = await createKit({ port: 0, logLevel: 'silent', database: database.url, upstream }, { observe });
    t.after(() => kit.close());
    await database.stop();
    const { status } = await fetch(`${kit.url}/users/2065550001`);
    assert.deepEqual([status, observations], [503, [['getUser', 503, 'fault']]]);
  });

  test('while all PostgreSQL connections wait for a lock, requests that get no connection receive a 503, and the health check reports the database as busy', async (t) => {
    const database = await createDatabase();
    const kit = await createKit({ port: 0, logLevel: 'silent', database });
    const other = new pg.Client(database);
    await other.connect();
    // Release the lock before the kit is closed, because the kit waits for its queries.
    t.after(() => other.end());
    t.after(() => kit.close());
    const { read, health } = await createClient(kit);
    await other.query('begin; lock table users in access exclusive mode');
    const reads: ReturnType<typeof read>[] = [];
    // Requests that arrive together share a connection, so wait until the previous one waits for the lock.
    // Other tests use other databases of the same server.
    const isOwn = 'database = (select oid from pg_database where datname = current_database())';
    const countWaiting = async () =>
      Number((await other.query(`select count(*) from pg_locks where not granted and ${isOwn}`)).rows[0].count);
    for (let count = 1; count <= 10; count += 1) {
      reads.push(read());
      while ((await countWaiting()) < count);
    }
    reads.push(read());
    assert.deepEqual(await Promise.race(reads), UNAVAILABLE_RESPONSE);
    const [status, { parts, ...rest }] = await health();
    assert.deepEqual([status, rest, parts.database.status], [503, { status: 'degraded', engine: 'postgres' }, 'busy']);
    assert.match(parts.database.reason ?? '', /all 10 connections are busy/);

    await other.query('rollback');
    const answers = await Promise.all(reads);
    assert.ok(answers.includes(200), 'when the lock is released, the requests that already have a connection succeed');
    assert.equal(await read(), 200);
    assert.equal((await health())[0], 200);
  });
});
