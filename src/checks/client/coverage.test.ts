import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { run } from '../../cli/testing/run.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import { createKit, type Kit } from '../../kit.ts';
import { sampleRequests } from '../refusals/demo.ts';
import { listScenarios } from '../refusals/list.ts';
import { runScenario } from '../refusals/run.ts';
import type { Call } from './call.ts';
import { coverageOf } from './coverage.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());
beforeEach(() => control('/reset', 'POST', { to: 'seed' }));

const control = async <Body>(path: string, method = 'GET', body?: object): Promise<Body> => {
  const init = { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(`${kit.url}/_control${path}`, init)).json() as Promise<Body>;
};
const calls = () => control<Call[]>('/requests?limit=1000');

/** Sends a request that would succeed. */
const call = (operation: OperationId) => {
  const scenario = { title: '', request: sampleRequests[operation] };
  return runScenario({ id: '', rule: '', operation, scenario, expected: { status: 0, reason: null } }, kit);
};

test('the figures equal those that are counted from the journal', async () => {
  const scenarios = listScenarios().filter(({ operation, scenario }) => operation !== undefined && scenario.copies === undefined);
  // The answer to this scenario names no rule, so it counts for the only documented 429 of the operation.
  for (const one of scenarios) if (one.id !== 'http.injected-fault') await runScenario(one, kit);
  for (const operation of Object.keys(sampleRequests) as OperationId[]) await call(operation);
  const journal = await calls();
  const coverage = coverageOf(journal);
  const total = (rows: readonly { met: number }[]) => rows.reduce((sum, { met }) => sum + met, 0);
  const operations = new Set(Object.keys(sampleRequests));
  assert.equal(
    total(coverage.filter(({ operation }) => operations.has(operation))),
    journal.filter(({ operationId = '' }) => operations.has(operationId)).length,
  );
  const statusesOf = new Map<string, number>();
  for (const { operationId, status } of journal)
    statusesOf.set(`${operationId} ${status}`, (statusesOf.get(`${operationId} ${status}`) ?? 0) + 1);
  for (const [name, count] of statusesOf) {
    const [operation, status] = name.split(' ');
    const rows = coverage.filter((row) => row.operation === operation && row.status === Number(status));
    assert.equal(total(rows), count, name);
  }
  for (const { operation, status, rule, met } of coverage) {
    if (rule === undefined || status < 400) continue;
    const counted = journal.filter(
      (entry) => entry.operationId === operation && entry.status === status && entry.problem?.type === `/problems/${rule}`,
    );
    assert.equal(met, counted.length, `${operation} ${status} ${rule}`);
  }
  assert.deepEqual(
    coverage
      .filter(({ met, status }) => met === 0 && status >= 400 && status !== 401)
      .map(({ operation, status, rule }) => `${operation} ${status} ${rule}`),
    ['getExperienceAssignability 429 limits.assignability.rate'],
  );
});

test('a client that called nothing has met nothing, and every answer has a hint', () => {
  const coverage = coverageOf([]);
  assert.ok(coverage.length > 80);
  for (const { met, provoke, operation, status } of coverage)
    assert.deepEqual([met, typeof provoke], [0, 'string'], `${operation} ${status}`);
});

describe('the command for an answer that was never met provokes it for the next call', () => {
  for (const { operation, status, rule, provoke = '' } of coverageOf([])) {
    if (!provoke.startsWith('xpk fault add')) continue;
    test(`${operation} ${status} ${rule ?? ''}`, async () => {
      const added = await run(...provoke.split(' ').slice(1), '--url', kit.url);
      assert.equal(added.status, 0, added.stderr);
      await call(operation as OperationId);
      const met = coverageOf(await calls()).filter((row) => row.met > 0);
      assert.deepEqual(
        met.map((row) => [row.operation, row.status, row.rule]),
        [[operation, status, rule]],
      );
    });
  }
});

/** A call that got 429 at kit time `at`, in seconds. */
const limited = (at: number, more: Partial<Call> = {}): Call => ({
  number: at + 1,
  traceId: String(at),
  at: new Date(at * 1000).toISOString(),
  arrivedMs: at * 1000,
  durationMs: 10,
  door: 'service',
  method: 'GET',
  path: '/users/1',
  operationId: 'getUser',
  status: 429,
  problem: { type: '/problems/users.get.rate', title: 'Too Many Requests' },
  credential: { fingerprint: 'a', clientId: 'web' },
  ...more,
});
const good = (at: number, more: Partial<Call> = {}) => {
  const { problem: _, ...rest } = limited(at, { status: 200, ...more });
  return rest;
};
const nextOf = (...journal: Call[]) => coverageOf(journal).find(({ met, next }) => met > 0 && next)?.next;

test('an answer that names no rule counts for the only documented answer with its status, or else for none', () => {
  const injected = { type: '/problems/http.injected-fault', title: 'Injected' };
  const met = (journal: Call) => coverageOf([journal]).find((row) => row.met > 0);
  assert.equal(met(limited(0, { problem: injected }))?.rule, 'users.get.rate');
  assert.equal(met(limited(0, { operationId: 'getUsers', status: 400, problem: injected }))?.documented, false);
});

test('the reaction is the same request later, another request, or none', () => {
  assert.deepEqual(nextOf(limited(0)), ['sent no further request']);
  assert.deepEqual(nextOf(limited(0), good(0.02)), ['sent the same request again at once']);
  assert.deepEqual(nextOf(limited(0), limited(1), good(4)), ['sent the same request again after 1.0 to 3.0 s (2 times)']);
  assert.deepEqual(nextOf(limited(0), good(5, { path: '/users/2' })), ['continued with other requests']);
});

test('a request that was sent before the response, or by another client, is no reaction', () => {
  assert.deepEqual(nextOf(limited(0, { durationMs: 500 }), good(0.1)), ['sent no further request']);
  assert.deepEqual(nextOf(limited(0), good(1, { credential: { fingerprint: 'b', clientId: 'other' } })), ['sent no further request']);
});

test('the same request at once on another open connection may have been sent in parallel', () => {
  const on = (number: number) => ({ connection: { number, ageMs: 5000 } });
  assert.deepEqual(nextOf(limited(0, on(1)), good(0.02, on(1))), ['sent the same request again at once']);
  assert.deepEqual(nextOf(limited(0, on(1)), good(0.02, on(2))), ['sent the same request again at once, perhaps in parallel']);
});

test('a pause in kit time counts as a pause, because a test may move the clock of the kit instead of waiting', () => {
  assert.deepEqual(nextOf(limited(0), good(0.02, { at: new Date(2000).toISOString() })), ['sent the same request again after 2.0 s']);
});

test('after a 401, the reaction is the new token; after the 400 of a cursor, the restarted list', () => {
  const expired = { status: 401, problem: { type: '/problems/auth.token.expired', title: 'Unauthorized' } };
  const token = (oauth: NonNullable<Call['oauth']>) =>
    good(1, { door: 'authorization', method: 'POST', path: '/auth/oauth/token', operationId: 'token', oauth });
  assert.deepEqual(nextOf(limited(0, expired), token({ refreshToken: 'r' }), good(2)), [
    'refreshed its access token and sent the request again',
  ]);
  assert.deepEqual(nextOf(limited(0, expired), token({ clientId: 'web' })), ['requested a new access token']);
  assert.deepEqual(nextOf(limited(0, expired), good(1)), ['sent the same request again after 1.0 s']);
  const list = { operationId: 'getUsers', path: '/users?accountId=1&cursor=x' };
  const refused = limited(0, { ...list, status: 400, problem: { type: '/problems/users.list.cursor-malformed', title: 'Bad Request' } });
  assert.deepEqual(nextOf(refused, good(1, { ...list, path: '/users?accountId=1' })), ['restarted the list without a cursor']);
});
