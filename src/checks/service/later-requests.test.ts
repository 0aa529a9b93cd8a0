import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeService } from './judge.ts';
import { createCalls } from './testing/calls.ts';

const [ACCOUNT, EXPERIENCE] = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222'];
const FORBIDDEN = { title: 'Forbidden', status: 403, traceId: 'x' };
const createId = (index: number) => `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`;

/** Returns what was expected instead; undefined if the rule holds. */
function findFailure({ calls }: ReturnType<typeof createCalls>, id: string): string | undefined {
  const { verdict, cells } = judgeService({ calls, url: 'http://service.example' }).rules.find((rule) => rule.id === id)!;
  assert.notEqual(verdict, 'not-exercised');
  return Object.values(cells).flatMap(({ checks }) => checks.flatMap(({ failure }) => failure?.message ?? []))[0];
}

/** Each deletion is refused first. */
function deleteEach(experiences: readonly string[], waitMs = 0) {
  const calls = createCalls();
  for (const [index, experienceId] of experiences.entries()) {
    const [prefixed, flat] = ['/experience/assignments', '/experience-assignments'].map((path) => `${path}/${createId(index)}`) as [
      string,
      string,
    ];
    const shown = { id: createId(index), accountId: ACCOUNT, experienceId, targetType: 'ACCOUNT', targetValue: ACCOUNT };
    calls.send('GET', prefixed, 200, { ...shown, updatedAt: '2026-03-01T11:00:00.000Z' });
    calls.send('DELETE', prefixed, 403, FORBIDDEN);
    calls.wait(waitMs);
    calls.send('DELETE', flat, 204);
  }
  calls.send('GET', `/experience/assignments?accountId=${ACCOUNT}`, 200, { entities: [], cursor: null, pageSize: 100 });
  return calls;
}

test('two deletions, each of which was refused with 403 a moment before, break a rule', () => {
  const message = findFailure(deleteEach([EXPERIENCE, EXPERIENCE]), 'assignments.delete.read-only');
  assert.match(message!, /the request gets 403 again, because the caller may not change what belongs to this account and Experience/);
});

for (const [title, calls] of [
  ['one deletion is', deleteEach([EXPERIENCE])],
  ['deletions of two Experiences are', deleteEach([EXPERIENCE, createId(9)])],
  ['deletions much later are', deleteEach([EXPERIENCE, EXPERIENCE], 10_000)],
] as const)
  test(`somebody else may give a permission: ${title} permitted after 403`, () =>
    assert.equal(findFailure(calls, 'assignments.delete.read-only'), undefined));

/** Reads a list of three users twice. */
function readUsersTwice(counts: readonly number[], waitMs: number) {
  const calls = createCalls();
  const users = [1, 2, 3].map((index) => ({
    id: createId(index),
    accountId: ACCOUNT,
    createdAt: '2026-03-01T11:00:00.000Z',
    updatedAt: null,
  }));
  for (let reads = 0; reads < 2; reads += 1) {
    const path = `/users?accountId=${ACCOUNT}&pageSize=2`;
    calls.send('GET', path, 200, { entities: users.slice(0, 2), cursor: 'next', pageSize: 2, count: counts[0] });
    Object.assign(calls.calls.at(-1)!, { nextCursor: 'next' });
    calls.send('GET', `${path}&cursor=next`, 200, { entities: users.slice(2), cursor: null, pageSize: 2, count: counts[1] });
    calls.wait(waitMs);
  }
  return calls;
}

test('a later page that counts only its own users breaks a rule if the list has not changed for long', () => {
  const message = findFailure(readUsersTwice([3, 1], 12_000), 'users.list.count');
  assert.match(message!, /the count is 3, as it is for a list that has not changed for 10 seconds/);
  assert.equal(findFailure(readUsersTwice([3, 1], 1000), 'users.list.count'), undefined);
  assert.equal(findFailure(readUsersTwice([3, 3], 12_000), 'users.list.count'), undefined);
});
