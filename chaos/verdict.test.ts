import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLedger, type Kind } from './ledger.ts';
import { verdictOf } from './verdict.ts';

/** One user whose creation was acknowledged, and what became of it. */
function verdict({ there = ['u'], delivered = ['provisioning.user.created u'] }: { there?: string[]; delivered?: string[] }) {
  const ledger = createLedger();
  ledger.created('users', 'u');
  const acknowledged = new Map(delivered.map((event) => [event, new Set(['subscription'])]));
  return verdictOf({
    there: new Map(there.map((id) => [id, 'users' as Kind])),
    ledger,
    receiver: { acknowledgedBy: (type, id) => acknowledged.get(`${type} ${id}`) ?? new Set(), events: () => acknowledged.keys() },
    subscriptions: 1,
  });
}

test('Nothing is wrong where what was acknowledged is there and was delivered', () => {
  assert.deepEqual(verdict({}), { events: 1, lost: [], undelivered: [], apart: [] });
});

test('An acknowledged write that is not there is lost, and its event has no entity', () => {
  const { lost, apart } = verdict({ there: [] });
  assert.deepEqual([lost.length, apart.length], [1, 1]);
});

test('An event of an acknowledged write that nobody got is undelivered', () => {
  assert.deepEqual(verdict({ delivered: [] }).undelivered, ['provisioning.user.created of u']);
});

test('An entity whose write was never acknowledged needs its event, too', () => {
  assert.deepEqual(verdict({ there: ['u', 'other'] }).apart, ['users other: no event']);
});
