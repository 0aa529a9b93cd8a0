import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problem, requestOf, success } from '../sabotage/exchange.ts';
import { bodyOf, type Exchange } from './exchanges.ts';
import { faultyOnes } from './faults.ts';
import { ourOpinion } from './opinions.ts';

const USER = {
  id: '0190f000-0000-7000-8000-000000000001',
  accountId: '0190f000-0000-7000-8000-000000000002',
  createdAt: '2026-03-01T09:30:00Z',
};
const exchange = (members: Pick<Exchange, 'operation' | 'reply'>): Exchange => ({
  fault: undefined,
  request: requestOf('GET', '/users', {}, ''),
  ...members,
});
const faulty = faultyOnes([
  exchange({ operation: 'getUsers', reply: success(200, { entities: [], cursor: null, pageSize: 100 }) }),
  exchange({ operation: 'getUsers', reply: success(200, { entities: [USER], cursor: 'x', pageSize: 100 }) }),
  exchange({ operation: 'getUsers', reply: problem(400) }),
  exchange({ operation: 'getUser', reply: problem(404) }),
  exchange({ operation: 'deleteExperienceAssignment', reply: success(204) }),
]);
const faultsOf = (operation: string) => faulty.filter((each) => each.operation === operation).map(({ fault }) => fault);

test('entities are changed, too: of the pages the one that has some is taken', () => {
  const without = faulty.find(({ fault }) => fault === 'entities/0/createdAt left out');
  const { createdAt: _, ...rest } = USER;
  assert.deepEqual(without && bodyOf(without.reply), { entities: [rest], cursor: 'x', pageSize: 100 });
});

test('of a schema that several operations answer with, one answer is changed; the status of each', () => {
  assert.ok(faultsOf('getUsers').includes('traceId left out'));
  assert.deepEqual(faultsOf('getUser'), ['status 402', 'status 418', 'status 502']);
});

test('an answer without a body is left as it is', () => assert.deepEqual(faultsOf('deleteExperienceAssignment'), []));

test('no two faults of an answer have one name', () => {
  for (const those of Map.groupBy(faulty, ({ operation, reply }) => `${operation} ${reply.status < 400}`).values())
    assert.equal(new Set(those.map(({ fault }) => fault)).size, those.length);
});

test('there are answers among them that fit, and answers that do not', () => {
  const verdicts = faulty.map((each) => ourOpinion(each)).map((opinion) => 'objections' in opinion && opinion.objections.length === 0);
  assert.deepEqual([...new Set(verdicts)].sort(), [false, true]);
});
