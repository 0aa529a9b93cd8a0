import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { run } from '../../cli/testing/run.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { createKit, type Kit } from '../../kit.ts';
import { buildDemoRequest } from '../scenarios/demo-requests.ts';
import { listScenarios } from '../scenarios/list-scenarios.ts';
import { runScenario } from '../scenarios/run-scenario.ts';
import type { Call } from './call.ts';
import { computeCoverage } from './coverage.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());
beforeEach(() => callControl('/reset', 'POST', { to: 'seed' }));

const callControl = async <Body>(path: string, method = 'GET', body?: object): Promise<Body> => {
  const init = { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(`${kit.url}/_control${path}`, init)).json() as Promise<Body>;
};
const readCalls = () => callControl<Call[]>('/requests?limit=1000');

const sendValidRequest = (operation: OperationId) => {
  const scenario = { title: '', request: buildDemoRequest(operation) };
  return runScenario({ id: '', rule: '', operation, scenario, expected: { status: 0, reason: null } }, kit);
};

test('coverage counts each call in the journal once', async () => {
  const scenarios = listScenarios().filter(({ operation, scenario }) => operation !== undefined && scenario.copies === undefined);
  // This scenario's response names no rule.
  for (const scenario of scenarios) if (scenario.id !== 'http.injected-fault') await runScenario(scenario, kit);
  for (const operation of Object.keys(operations) as OperationId[]) await sendValidRequest(operation);
  const journal = await readCalls();
  const coverage = computeCoverage(journal);
  const countReceivedResponses = (answers: readonly { met: number }[]) => answers.reduce((sum, { met }) => sum + met, 0);
  const operationIds = new Set<string>(Object.keys(operations));
  assert.equal(
    countReceivedResponses(coverage.filter(({ operation }) => operationIds.has(operation))),
    journal.filter(({ operationId = '' }) => operationIds.has(operationId)).length,
  );
  const statusesOf = new Map<string, number>();
  for (const { operationId, status } of journal)
    statusesOf.set(`${operationId} ${status}`, (statusesOf.get(`${operationId} ${status}`) ?? 0) + 1);
  for (const [name, count] of statusesOf) {
    const [operation, status] = name.split(' ');
    const rows = coverage.filter((row) => row.operation === operation && row.status === Number(status));
    assert.equal(countReceivedResponses(rows), count, name);
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

test('before any call, each response has a count of 0 and a hint that says how to trigger the response', () => {
  const coverage = computeCoverage([]);
  assert.ok(coverage.length > 80);
  for (const { met, provoke, operation, status } of coverage)
    assert.deepEqual([met, typeof provoke], [0, 'string'], `${operation} ${status}`);
});

describe('the command shown for each response makes the kit send that response to the next call', () => {
  for (const { operation, status, rule, provoke = '' } of computeCoverage([])) {
    if (!provoke.startsWith('xpk fault add')) continue;
    test(`${operation} ${status} ${rule ?? ''}`, async () => {
      const added = await run(...provoke.split(' ').slice(1), '--url', kit.url);
      assert.equal(added.status, 0, added.stderr);
      await sendValidRequest(operation as OperationId);
      const met = computeCoverage(await readCalls()).filter((row) => row.met > 0);
      assert.deepEqual(
        met.map((row) => [row.operation, row.status, row.rule]),
        [[operation, status, rule]],
      );
    });
  }
});

const createRateLimitedCall = (seconds: number, changes: Partial<Call> = {}): Call => ({
  number: seconds + 1,
  traceId: String(seconds),
  at: new Date(seconds * 1000).toISOString(),
  arrivedMs: seconds * 1000,
  durationMs: 10,
  door: 'service',
  method: 'GET',
  path: '/users/1',
  operationId: 'getUser',
  status: 429,
  problem: { type: '/problems/users.get.rate', title: 'Too Many Requests' },
  credential: { fingerprint: 'a', clientId: 'web' },
  ...changes,
});
const createSuccessfulCall = (seconds: number, changes: Partial<Call> = {}) => {
  const { problem: _, ...rest } = createRateLimitedCall(seconds, { status: 200, ...changes });
  return rest;
};
const describeClientReaction = (...journal: Call[]) => computeCoverage(journal).find(({ met, next }) => met > 0 && next)?.next;

test('a response that names no rule counts as documented only if the operation documents exactly one response with this status', () => {
  const injected = { type: '/problems/http.injected-fault', title: 'Injected' };
  const findReceivedAnswer = (journal: Call) => computeCoverage([journal]).find((row) => row.met > 0);
  assert.equal(findReceivedAnswer(createRateLimitedCall(0, { problem: injected }))?.rule, 'users.get.rate');
  assert.equal(
    findReceivedAnswer(createRateLimitedCall(0, { operationId: 'getUsers', status: 400, problem: injected }))?.documented,
    false,
  );
});

test('coverage says whether the client repeated the request, continued or stopped', () => {
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0)), ['sent no further request']);
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0), createSuccessfulCall(0.02)), ['sent the same request again at once']);
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0), createRateLimitedCall(1), createSuccessfulCall(4)), [
    'sent the same request again after 1.0 to 3.0 s (2 times)',
  ]);
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0), createSuccessfulCall(5, { path: '/users/2' })), [
    'continued with other requests',
  ]);
});

test('a request is not a reaction if it was sent before the response or by another client', () => {
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0, { durationMs: 500 }), createSuccessfulCall(0.1)), [
    'sent no further request',
  ]);
  assert.deepEqual(
    describeClientReaction(createRateLimitedCall(0), createSuccessfulCall(1, { credential: { fingerprint: 'b', clientId: 'other' } })),
    ['sent no further request'],
  );
});

test('immediately after a 429, an equal request on another open connection is reported as perhaps parallel to the refused request', () => {
  const onConnection = (number: number) => ({ connection: { number, ageMs: 5000 } });
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0, onConnection(1)), createSuccessfulCall(0.02, onConnection(1))), [
    'sent the same request again at once',
  ]);
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0, onConnection(1)), createSuccessfulCall(0.02, onConnection(2))), [
    'sent the same request again at once, perhaps in parallel',
  ]);
});

test('a client that advances the kit clock between two requests is reported to have paused', () => {
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0), createSuccessfulCall(0.02, { at: new Date(2000).toISOString() })), [
    'sent the same request again after 2.0 s',
  ]);
});

test('coverage says whether the client requested a new token after a 401, and restarted the list after a refused cursor', () => {
  const expired = { status: 401, problem: { type: '/problems/auth.token.expired', title: 'Unauthorized' } };
  const createTokenRequest = (oauth: NonNullable<Call['oauth']>) =>
    createSuccessfulCall(1, { door: 'authorization', method: 'POST', path: '/auth/oauth/token', operationId: 'token', oauth });
  assert.deepEqual(
    describeClientReaction(createRateLimitedCall(0, expired), createTokenRequest({ refreshToken: 'r' }), createSuccessfulCall(2)),
    ['refreshed its access token and sent the request again'],
  );
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0, expired), createTokenRequest({ clientId: 'web' })), [
    'requested a new access token',
  ]);
  assert.deepEqual(describeClientReaction(createRateLimitedCall(0, expired), createSuccessfulCall(1)), [
    'sent the same request again after 1.0 s',
  ]);
  const list = { operationId: 'getUsers', path: '/users?accountId=1&cursor=x' };
  const refused = createRateLimitedCall(0, {
    ...list,
    status: 400,
    problem: { type: '/problems/users.list.cursor-malformed', title: 'Bad Request' },
  });
  assert.deepEqual(describeClientReaction(refused, createSuccessfulCall(1, { ...list, path: '/users?accountId=1' })), [
    'restarted the list without a cursor',
  ]);
});
