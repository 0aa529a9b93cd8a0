// Uses the sources, because it replaces a method of the pg package, of which the bundle has a copy.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { StatementSync } from 'node:sqlite';
import { mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Call, CHECK_PATH, COSTS, PAGE_PATH } from '../../tools/bench/costs.ts';
import { ACCOUNT_ID, createBenchWorld, EXPERIENCE_ID } from '../../tools/bench/world.ts';
import { createKit } from '../kit.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import type { MeasuredKit } from '../testing/measured-kit.ts';

const CLIENT_COUNT = 10;
const REQUEST_COUNT = 200;

const users = Array.from({ length: 100 }, (_, n) => `user-${n}`);
const world = {
  ...createBenchWorld({ clients: CLIENT_COUNT }),
  subscriptions: {},
  users: Object.fromEntries(users.map((alias) => [alias, { account: 'account' }])),
  assignments: Object.fromEntries(users.map((target) => [target, { experience: 'experience', targetType: 'USER', target }])),
};

interface Cost {
  readonly what: string;
  readonly was: number;
  readonly is: number;
}

function assertNotGrown(costs: readonly Cost[]): void {
  const grown = costs.filter(({ was, is }) => is > was).map(({ what, was, is }) => `${what}: was ${was}, is ${is}`);
  assert.deepEqual(grown, []);
}

/** Returns a function that sends a call as the first client, and requires success. */
async function createSender(kit: Awaited<ReturnType<typeof createKit>>): Promise<(call: Call) => Promise<void>> {
  const [token] = Object.values(await kit.tokens());
  const { id: user } = await kit.store.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  let id = '';
  return async ([method, path, body]) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const target = kit.url + path.replace('{id}', id).replace('{user}', user);
    const response = await fetch(target, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    assert.ok(response.ok, text);
    if (text !== '') id = (JSON.parse(text) as { id?: string }).id ?? id;
  };
}

test('no operation executes more SQL statements than expected', async (t) => {
  const kit = await createKit({ port: 0, fixtures: world as never });
  t.after(() => kit.close());
  const methods = (['all', 'get', 'iterate', 'run'] as const).map((method) => mock.method(StatementSync.prototype, method));
  t.after(() => mock.restoreAll());
  const countStatements = () => methods.reduce((sum, { mock: counter }) => sum + counter.callCount(), 0);
  const send = await createSender(kit);

  await send(['GET', CHECK_PATH]); // After this request, the caller is cached.
  const costs: Cost[] = [];
  for (const { operation, call, statements: was } of COSTS) {
    // A write clears the cached results of earlier queries.
    await kit.store.db.deleteFrom('meta').where('key', '=', 'unknown').execute();
    const before = countStatements();
    await send(call);
    costs.push({ what: `SQL statements of ${operation}`, was, is: countStatements() - before });
  }
  assert.equal(new Set(COSTS.map(({ operation }) => operation)).size, 12);

  await send(['GET', CHECK_PATH]);
  const before = countStatements();
  await send(['GET', CHECK_PATH]);
  costs.push({
    what: 'SQL statements of a repeated check, if nothing was written since the first check',
    was: 0,
    is: countStatements() - before,
  });

  const subscription = { provider: 'provider', types: ['experience.assignment.created'] };
  await send(['POST', '/_control/state/subscriptions', subscription]);
  const beforeDelivery = countStatements();
  await send(['POST', '/experience-assignments', { experienceId: EXPERIENCE_ID, targetType: 'ACCOUNT', targetValue: ACCOUNT_ID }]);
  costs.push({ what: 'SQL statements of a create request with a delivery to the inbox', was: 10, is: countStatements() - beforeDelivery });
  assertNotGrown(costs);
});

test('on PostgreSQL, no operation executes more SQL statements, or waits for more round trips, than expected', async (t) => {
  const kit = await createKit({ port: 0, fixtures: world as never, database: await createDatabase() });
  t.after(() => kit.close());
  const statements: string[] = [];
  let [roundTrips, pending] = [0, 0];
  const { query } = pg.Client.prototype;
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: [string | pg.QueryConfig]) {
    const sent = Reflect.apply(query, this, given) as unknown as Promise<unknown>;
    const sql = typeof given[0] === 'string' ? given[0] : given[0].text;
    // Statements by the dispatcher, the journal's batches and the server probes run at unpredictable times.
    if (/deliveries|^with added|^select 1$|^listen/.test(sql)) return sent;
    statements.push(sql);
    if (pending++ === 0) roundTrips++;
    return sent.finally(() => pending--);
  });
  const send = await createSender(kit);
  // The first requests execute additional statements, for example to fill caches.
  for (let sent = 0; sent < 2; sent++) await send(['GET', CHECK_PATH]);
  const costs: Cost[] = [];
  for (const { operation, call, onPostgres } of COSTS) {
    [statements.length, roundTrips] = [0, 0];
    await send(call);
    costs.push({ what: `SQL statements of ${operation}`, was: onPostgres.statements, is: statements.length });
    costs.push({ what: `round trips of ${operation}`, was: onPostgres.roundTrips, is: roundTrips });
  }
  assertNotGrown(costs);
});

test('an assignability check and a page allocate no more memory than expected', async (t) => {
  // Optimization is turned off, because it would reduce the allocated memory at an unpredictable time.
  const child = fork(fileURLToPath(new URL('../testing/measured-kit.ts', import.meta.url)), [JSON.stringify(world)], {
    execArgv: ['--no-opt', '--no-maglev', '--min-semi-space-size=256', '--max-semi-space-size=256'],
  });
  t.after(() => child.kill());
  const [{ url, tokens }] = (await once(child, 'message')) as [MeasuredKit];
  async function send(path: string): Promise<void> {
    for (let sent = 0; sent < REQUEST_COUNT; sent += CLIENT_COUNT) {
      const responses = tokens.map(async (token) => {
        const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
        await response.text();
        assert.equal(response.status, 200);
      });
      await Promise.all(responses);
    }
  }
  async function measureAllocation(): Promise<number> {
    child.send('allocated');
    const [bytes] = (await once(child, 'message')) as [number];
    return bytes;
  }
  const costs: Cost[] = [];
  for (const [what, path, was] of [
    ['an assignability check', CHECK_PATH, 31_000],
    ['a page of 100', PAGE_PATH, 135_000],
  ] as const) {
    await send(path);
    const before = await measureAllocation();
    await send(path);
    costs.push({ what: `bytes that ${what} allocates`, was, is: Math.round(((await measureAllocation()) - before) / REQUEST_COUNT) });
  }
  assertNotGrown(costs);
});
