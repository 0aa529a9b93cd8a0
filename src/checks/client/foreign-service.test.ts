// A real service's problems have types of its own, so what a client did wrong follows from its requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchPath } from '../../contract/match-path.ts';
import type { Call } from './call.ts';
import { computeCoverage } from './coverage.ts';
import { describeRefusals, judgeCalls } from './judge.ts';
import { createClientResults } from './results.ts';

const ACCOUNT_ID = '019b76da-a800-7842-89c6-aab35372cefd';

function createCalls(requests: readonly (readonly [path: string, status: number])[]): Call[] {
  return requests.map(([path, status], index) => {
    const operationId = matchPath('GET', path.split('?', 1)[0]!)?.operation;
    const problem = { type: 'urn:problem:refused', title: 'Refused', detail: 'Something is wrong' };
    const isRefused = status >= 400;
    return {
      ...{ number: index + 1, traceId: `${index}`, at: new Date(index * 1000).toISOString(), arrivedMs: index * 1000, durationMs: 5 },
      ...{ door: 'service', method: 'GET', path, status, ...(operationId && { operationId }) },
      credential: { fingerprint: 'token' },
      request: { headers: {} },
      ...(isRefused && { problem, response: { body: { ...problem, errors: [{ reason: 'unknown' }] } } }),
    } as Call;
  });
}

function judge(...requests: readonly (readonly [path: string, status: number])[]) {
  const outcomes = judgeCalls(createCalls(requests), { missed: 0, complete: false });
  return (rule: string) => outcomes.flatMap((outcome) => (outcome.rule === rule ? outcome.verdict : []));
}

test('a request that the contract does not allow is reported, whatever type the refusal has', () => {
  for (const [path, status] of [
    ['/experience/assignments', 400],
    [`/experience/assignments?experienceId=${ACCOUNT_ID}`, 400],
    ['/users', 400],
    ['/experience-connections', 400],
    ['/users?accountId=not-a-uuid', 400],
    ['/experience/nonsense', 404],
  ] as const)
    assert.deepEqual(judge([path, status])('client.requests.well-formed'), ['failed'], path);
});

test('a refusal that the request does not explain says nothing about the client', () => {
  const verdictOf = judge([`/users?accountId=${ACCOUNT_ID}`, 400], [`/users?accountId=${ACCOUNT_ID}&cursor=made-up`, 400]);
  assert.deepEqual([verdictOf('client.requests.well-formed'), verdictOf('client.cursor-opaque')], [['not-exercised'], ['not-exercised']]);
});

test('foreign types are neither documented reasons in the coverage nor rules in the notes', () => {
  const calls = createCalls([
    ['/users/none', 404],
    [`/users?accountId=${ACCOUNT_ID}`, 400],
    ['/experience/assignments', 400],
  ]);
  const all = computeCoverage([]).length;
  const coverage = computeCoverage(calls);
  const met = coverage.filter((answer) => answer.met > 0).map(({ operation, rule }) => `${operation} ${rule}`);
  assert.deepEqual(
    [coverage.length, met],
    [all, ['getExperienceAssignments assignments.list.filter-required', 'getUser users.get.not-found']],
  );
  assert.equal(describeRefusals(calls)[0], 'The service refused request #1 (getUser) with 404: Something is wrong (urn:problem:refused)');
  const run = { calls, facts: { missed: 0, complete: false }, url: 'https://staging.example.com', startedAt: new Date(), rules: undefined };
  assert.equal(createClientResults({ ...run, options: {} }).interrupted, false);
});
