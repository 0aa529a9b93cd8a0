import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLedger, type Kind, verdictOf } from './ledger.ts';

/** The verdict on one user whose creation was acknowledged. */
function verdict({ existing = ['u'], delivered = ['provisioning.user.created u'] }: { existing?: string[]; delivered?: string[] }) {
  const ledger = createLedger();
  ledger.created('users', 'u');
  const acknowledged = new Map(delivered.map((event) => [event, new Set(['subscription'])]));
  return verdictOf({
    existing: new Map(existing.map((id) => [id, 'users' as Kind])),
    ledger,
    receiver: { acknowledgedBy: (type, id) => acknowledged.get(`${type} ${id}`) ?? new Set(), events: () => acknowledged.keys() },
    subscriptions: 1,
  });
}

test('an acknowledged write that exists and was delivered is no problem', () => {
  assert.deepEqual(verdict({}), { events: 1, lost: [], undelivered: [], unmatched: [] });
});

test('an acknowledged write without its entity is lost, and its event has no entity', () => {
  const { lost, unmatched } = verdict({ existing: [] });
  assert.deepEqual([lost.length, unmatched.length], [1, 1]);
});

test('an event of an acknowledged write that was never received is undelivered', () => {
  assert.deepEqual(verdict({ delivered: [] }).undelivered, ['provisioning.user.created of u']);
});

test('an entity whose write was never acknowledged also needs its event', () => {
  assert.deepEqual(verdict({ existing: ['u', 'other'] }).unmatched, ['users other: no event']);
});
