import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kind, Ledger, verdictOf } from './ledger.ts';

const EVENT = 'provisioning.user.created u';

for (const [title, existing, delivered, found] of [
  ['an acknowledged creation whose entity exists and whose event was delivered is no problem', ['u'], [EVENT], [0, 0, 0]],
  ['an acknowledged creation is lost if its entity does not exist, and its event has no entity', [], [EVENT], [1, 0, 1]],
  ['an event of an acknowledged write that was never received is undelivered', ['u'], [], [0, 1, 1]],
  ['an entity without an event is a problem even if its write was never acknowledged', ['u', 'other'], [EVENT], [0, 0, 1]],
] as const) {
  test(title, () => {
    const ledger = new Ledger();
    ledger.record('users', 'u', 'present');
    const verdict = verdictOf({
      existing: new Map(existing.map((id) => [id, 'users' as Kind])),
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
