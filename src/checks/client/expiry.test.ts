import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from './call.ts';
import { judgeCalls } from './judge.ts';

const LIFETIME_S = 5;

/** Returns the verdict on a client whose token is first used after `firstUseMs`, and refused `lateMs` after its expiry. */
function judgeRefusal(firstUseMs: number, lateMs: number): string | undefined {
  const token = { fingerprint: 'a', clientId: 'web', principalId: 'boss', scopes: [] };
  const create = (number: number, atMs: number, others: Partial<Call>): Call => ({
    number,
    traceId: String(number),
    at: new Date(atMs).toISOString(),
    arrivedMs: atMs,
    durationMs: 5,
    door: 'service',
    method: 'GET',
    path: '/users',
    operationId: 'getUsers',
    credential: token,
    status: 200,
    ...others,
  });
  const issued = { door: 'authorization', method: 'POST', path: '/oauth/token', operationId: 'token' } as const;
  const grantToken = (fingerprint: string, refreshToken?: string) => ({
    ...issued,
    credential: undefined as never,
    oauth: { clientId: 'web', refreshToken, issued: { accessToken: { ...token, fingerprint }, expiresIn: LIFETIME_S, refreshToken: 'r' } },
  });
  const refusedMs = 5 + LIFETIME_S * 1000 + lateMs;
  const calls = [
    create(1, 0, grantToken('a') as Partial<Call>),
    create(2, 5 + firstUseMs, {}),
    create(3, refusedMs, { status: 401, credential: { ...token, problem: 'expired' } }),
    create(4, refusedMs + 20, grantToken('b', 'r') as Partial<Call>),
    create(5, refusedMs + 40, { credential: { ...token, fingerprint: 'b' } }),
  ];
  const outcomes = judgeCalls(calls, { missed: 0, complete: true });
  return outcomes.find(({ rule }) => rule === 'client.tokens.refreshed-before-expiry')?.verdict;
}

test('a client that may have received its token late, because the machine is busy, may also send it so much later', () => {
  assert.deepEqual([judgeRefusal(400, 350), judgeRefusal(10, 350), judgeRefusal(400, 450)], ['not-exercised', 'failed', 'failed']);
});
