import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from './call.ts';
import { computeCoverage } from './coverage.ts';
import { judgeCalls } from './judge.ts';

type Part = Partial<Call> & Pick<Call, 'operationId'>;

const problem = (type: string) => ({ title: 'Refused', type: `/problems/${type}` });
const list = { operationId: 'getUsers', method: 'GET' } as const;

/** What a client repeats: the calls that each rule compares with others. */
const WORKLOADS: Readonly<Record<string, (round: number) => readonly Part[]>> = {
  'requests that are refused, and sent again': () => [
    { operationId: 'getUser', path: '/users/1', status: 404, problem: problem('users.get.not-found') },
    { operationId: 'getUser', path: '/users/2', status: 429, problem: problem('users.get.rate') },
  ],
  'different requests that are refused': (round) => [{ operationId: 'getUser', path: `/users/${round}`, status: 404 }],
  'lists whose cursors are refused': (round) => [
    { ...list, path: `/users?accountId=${round}`, nextCursor: `c${round}` },
    { ...list, path: `/users?accountId=1&cursor=c${round}`, status: 400, problem: problem('users.list.cursor-other-account') },
  ],
  'connections after a check': (round) => [
    { operationId: 'getExperienceAssignability', path: `/experiences/${round}/assignability` },
    {
      operationId: 'createExperienceConnection',
      path: '/connections',
      method: 'POST',
      request: { headers: {}, body: { experienceId: round } },
    },
  ],
  'logins for each call': (round) => [
    {
      operationId: 'authorize',
      door: 'authorization',
      path: `/authorize?state=${round}`,
      oauth: { issued: { code: `c${round}`, state: `${round}` } },
    },
    createTokenRequest(round, { code: `c${round}` }),
    { operationId: 'getUser', path: '/users/1', credential: { fingerprint: `t${round}`, clientId: 'web' } },
  ],
  'tokens that expire': (round) => [
    createTokenRequest(round, { refreshToken: `r${round - 1}` }),
    {
      operationId: 'getUser',
      path: '/users/1',
      status: 401,
      credential: { fingerprint: `t${round}`, clientId: 'web', problem: 'expired' },
    },
  ],
};

function createTokenRequest(round: number, sent: Call['oauth']): Part {
  const issued = { accessToken: { fingerprint: `t${round}`, clientId: 'web' }, refreshToken: `r${round}`, expiresIn: 3600 };
  return { operationId: 'token', door: 'authorization', method: 'POST', path: '/oauth/token', oauth: { clientId: 'web', ...sent, issued } };
}

/** Returns how many members of calls the check reads. */
function countReads(rounds: number, createCalls: (round: number) => readonly Part[]): number {
  let reads = 0;
  const parts = Array.from({ length: rounds }, (_, round) => createCalls(round)).flat();
  const calls = parts.map((part, index) => {
    const common = {
      number: index + 1,
      traceId: String(index),
      at: new Date(index * 50).toISOString(),
      arrivedMs: index * 50,
      durationMs: 5,
    };
    const service = { door: 'service', method: 'GET', path: '/', status: 200, credential: { fingerprint: 'a', clientId: 'web' } } as const;
    return new Proxy<Call>(
      { ...common, ...service, ...part },
      {
        get(call, name) {
          reads += 1;
          return call[name as keyof Call];
        },
      },
    );
  });
  judgeCalls(calls, { missed: 0, complete: true, wholeLists: true });
  computeCoverage(calls);
  return reads;
}

for (const [name, createCalls] of Object.entries(WORKLOADS))
  test(`the check compares twice as many calls with at most slightly more than twice the work: ${name}`, () => {
    const [few, many] = [countReads(200, createCalls), countReads(400, createCalls)];
    assert.ok(many < few * 2.3, `${few} and ${many} members were read`);
  });
