// Uses the sources, because it replaces a method of the pg package, of which the bundle has a copy.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { StatementSync } from 'node:sqlite';
import { mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ACCOUNT_ID, createBenchWorld, EXPERIENCE_ID, NUMBER } from '../../tools/bench/world.ts';
import type { OperationId } from '../contract/generated/operations.ts';
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
const CHECK_PATH = `/experiences/${EXPERIENCE_ID}/assignability?${new URLSearchParams({ targetType: 'PHONE_NUMBER', targetValue: NUMBER })}`;
const PAGE_PATH = `/experience-assignments?accountId=${ACCOUNT_ID}`;

interface Cost {
  readonly what: string;
  readonly was: number;
  readonly is: number;
}

function assertNotGrown(costs: readonly Cost[]): void {
  const grown = costs.filter(({ was, is }) => is > was).map(({ what, was, is }) => `${what}: was ${was}, is ${is}`);
  assert.deepEqual(grown, []);
}

type Call = readonly [method: string, path: string, body?: object];
/** `{id}` is the last response's id. */
const STATEMENTS_BY_OPERATION: readonly (readonly [operation: OperationId, call: Call, statements: number])[] = [
  ['getExperienceAssignability', ['GET', CHECK_PATH], 3],
  ['getExperienceAssignments', ['GET', PAGE_PATH], 2],
  [
    'createExperienceAssignment',
    ['POST', '/experience-assignments', { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: NUMBER }],
    8,
  ],
  ['getExperienceAssignment', ['GET', '/experience-assignments/{id}'], 1],
  ['deleteExperienceAssignment', ['DELETE', '/experience-assignments/{id}'], 7],
  ['createExperienceConnection', ['POST', '/experience-connections', { accountId: ACCOUNT_ID, experienceId: EXPERIENCE_ID }], 8],
  ['getExperienceConnections', ['GET', `/experience-connections?accountId=${ACCOUNT_ID}`], 2],
  ['getExperienceConnection', ['GET', '/experience-connections/{id}'], 1],
  ['updateExperienceConnection', ['PUT', '/experience-connections/{id}', { state: 'ACTIVE' }], 6],
  ['deleteExperienceConnection', ['DELETE', '/experience-connections/{id}'], 7],
  ['getUsers', ['GET', `/users?accountId=${ACCOUNT_ID}`], 3],
  ['getUser', ['GET', '/users/{user}'], 1],
];

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
  for (const [operation, call, was] of STATEMENTS_BY_OPERATION) {
    // A write clears the cached results of earlier queries.
    await kit.store.db.deleteFrom('meta').where('key', '=', 'unknown').execute();
    const before = countStatements();
    await send(call);
    costs.push({ what: `SQL statements of ${operation}`, was, is: countStatements() - before });
  }
  assert.equal(new Set(STATEMENTS_BY_OPERATION.map(([operation]) => operation)).size, 12);

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

/** On PostgreSQL, statements that are sent before an earlier one is answered share its round trip. */
const POSTGRES_COSTS: readonly (readonly [operation: OperationId, call: Call, statements: number, roundTrips: number])[] = [
  ['getExperienceAssignability', ['GET', CHECK_PATH], 5, 1],
  ['getExperienceAssignments', ['GET', PAGE_PATH], 3, 1],
  ['getUser', ['GET', '/users/{user}'], 2, 1],
  [
    'createExperienceAssignment',
    ['POST', '/experience-assignments', { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: NUMBER }],
    14,
    9,
  ],
  ['getExperienceAssignment', ['GET', '/experience-assignments/{id}'], 2, 1],
];

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
  for (const [operation, call, mostStatements, mostRoundTrips] of POSTGRES_COSTS) {
    [statements.length, roundTrips] = [0, 0];
    await send(call);
    costs.push({ what: `SQL statements of ${operation}`, was: mostStatements, is: statements.length });
    costs.push({ what: `round trips of ${operation}`, was: mostRoundTrips, is: roundTrips });
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
