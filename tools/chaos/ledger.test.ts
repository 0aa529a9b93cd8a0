import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EntityKind, findProblems, Ledger } from './ledger.ts';

const USER_CREATED = 'provisioning.user.created u';

for (const [title, existing, delivered, found] of [
  ['an acknowledged creation is not a problem if the entity exists and the event was delivered', ['u'], [USER_CREATED], [0, 0, 0]],
  [
    'if the entity of an acknowledged creation does not exist, the creation is lost, and its event is an event without an entity',
    [],
    [USER_CREATED],
    [1, 0, 1],
  ],
  ["an acknowledged write's event counts as undelivered if no receiver got it", ['u'], [], [0, 1, 1]],
  ['an entity without an event is a problem even if its write was never acknowledged', ['u', 'other'], [USER_CREATED], [0, 0, 1]],
] as const) {
  test(title, () => {
    const ledger = new Ledger();
    ledger.record('users', 'u', 'present');
    const verdict = findProblems({
      existing: new Map(existing.map((id) => [id, 'users' as EntityKind])),
      ledger,
      delivered: new Map(delivered.map((event) => [event, new Set(['subscription'])])),
      subscriptions: 1,
    });
    assert.deepEqual(
      Object.values(verdict).map(({ length }) => length),
      found,
    );
  });
}
