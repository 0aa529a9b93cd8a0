import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { requestOf } from '../sabotage/exchange.ts';
import { type Compared, compare, type Word } from './compare.ts';
import type { Disagreement } from './disagreements-file.ts';
import type { Opinion } from './opinions.ts';

const OPINIONS: Readonly<Record<Word, Opinion>> = {
  fits: { objections: [] },
  broken: { objections: ['id is missing'] },
  none: { none: '500' },
};

function compared(
  ours: Word,
  prism: Word,
  { fault, operation = 'getUser', status = 200 }: { fault?: string; operation?: OperationId; status?: number } = {},
): Compared {
  const request = requestOf('GET', '/users/1', {}, '');
  return {
    exchange: { fault, operation, request, reply: { status, headers: {}, text: '' } },
    ours: OPINIONS[ours],
    prism: OPINIONS[prism],
  };
}

/** Every documented answer, and one that both refuse: nothing is wrong with these. */
const COMPLETE = [
  ...Object.entries(operations).flatMap(([operation, { statuses }]) =>
    statuses.map((status) =>
      compared('fits', 'fits', { operation: operation as OperationId, status: status === '2XX' ? 202 : Number(status) }),
    ),
  ),
  compared('broken', 'broken', { fault: 'no body' }),
];
const known: Disagreement = { id: 'known', what: 'x', fault: 'half a body', ours: 'broken', prism: 'none', right: 'ours', why: 'x' };

test('where both say the same of every answer there is no objection', () => {
  const { objections, agreed } = compare(COMPLETE, []);
  assert.deepEqual(objections, []);
  assert.deepEqual(agreed, { fits: COMPLETE.length - 1, broken: 1 });
});

for (const [ours, prism] of [
  ['fits', 'broken'],
  ['broken', 'fits'],
  ['broken', 'none'],
  ['fits', 'none'],
] as const) {
  test(`a disagreement that is not known is told: ours ${ours}, Prism's ${prism}`, () => {
    const { objections } = compare([...COMPLETE, compared(ours, prism)], []);
    assert.match(objections.join(), /^Disagreement: getUser \(prefixed\) answered with 200\n/);
  });
}

test('a known disagreement is counted, and is no objection', () => {
  const { objections, known: seen } = compare([...COMPLETE, compared('broken', 'none', { fault: 'half a body' })], [known]);
  assert.deepEqual(objections, []);
  assert.deepEqual(seen, [{ disagreement: known, times: 1 }]);
});

test('a known disagreement covers neither another fault nor the opposite opinions', () => {
  for (const other of [compared('broken', 'none'), compared('fits', 'none', { fault: 'half a body' })])
    assert.equal(compare([...COMPLETE, compared('broken', 'none', { fault: 'half a body' }), other], [known]).objections.length, 1);
});

test('a known disagreement that does not occur any more is stale', () => {
  assert.deepEqual(compare(COMPLETE, [known]).objections, ['Stale: known does not occur any more. Remove the entry.']);
});

test('a documented answer that was not seen is named', () => {
  const without = COMPLETE.filter(({ exchange: { operation, reply } }) => operation !== 'getUsers' || reply.status !== 503);
  assert.deepEqual(compare(without, []).objections, ['Not complete: the service was not seen to answer getUsers 503.']);
});

test('a fault shows nothing of what the service answers', () => {
  const faulty = COMPLETE.map((each) => ({ ...each, exchange: { ...each.exchange, fault: 'no body' } }));
  assert.match(compare(faulty, []).objections.join(), /^Not complete: .*getUser 200/);
});

test('where both never refuse an answer, that proves nothing', () => {
  assert.deepEqual(compare(COMPLETE.slice(0, -1), []).objections, ['Both never say "broken": that proves nothing.']);
});
