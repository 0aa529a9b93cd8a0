import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDecisions } from '../contract/generated/decisions.ts';
import { MANAGE, READ } from './access.ts';
import {
  type ConnectionState,
  isDeletionBlockedByNumbers,
  listCreationEvents,
  listDeletionEvents,
  refuseAssignedNumbers,
  refuseConnection,
  refuseSameState,
} from './connections.ts';
import { PLATFORM, PORTAL, PROVIDER } from './testing/actors.ts';

const EXPERIENCE = { experienceId: 'desk', providerLevel: MANAGE };
const ACCOUNT = { accountId: 'north', principalLevel: MANAGE };

const levels = (names: object) => ({ cause: 'levels', needed: 'manage', experienceId: 'desk', ...names });
const ofAccount = (level: string) => levels({ providerLevel: 'manage', accountId: 'north', principalLevel: level, effectiveLevel: level });

test('a connection is refused for the first reason that applies', () => {
  const [readOnly, exists] = ['connections.create.read-only', 'connections.create.exists'];
  const noExperience = createUnknown('There is no such Experience.', 'experienceId');
  const noAccount = createUnknown('There is no such account.', 'accountId');
  const mayNot = { status: 403, reason: readOnly, detail: 'The caller may not create this connection.' };
  const existing = { status: 409, reason: exists, detail: 'A connection between this account and this Experience already exists.' };
  const unknown = (what: string, value: string) => ({ cause: 'unknown', what, value });
  const hidden = { ...EXPERIENCE, providerLevel: null };
  const rows: readonly [rule: string, Partial<Parameters<typeof refuseConnection>[2]>, refusal?: object, evidence?: object][] = [
    ['nothing prevents it', {}],
    ['an unknown Experience', { experience: undefined, account: undefined }, noExperience, unknown('experience', 'desk')],
    [
      'a hidden Experience',
      { experience: hidden, account: undefined },
      noExperience,
      levels({ providerLevel: 'none', effectiveLevel: 'none' }),
    ],
    ['an unknown account', { account: undefined }, noAccount, unknown('account', 'north')],
    ['a hidden account', { account: { ...ACCOUNT, principalLevel: null } }, noAccount, ofAccount('none')],
    ['a read-only account', { account: { ...ACCOUNT, principalLevel: READ }, existingId: 'line' }, mayNot, ofAccount('read')],
    ['an existing connection', { existingId: 'line' }, existing, { cause: 'connection exists', connectionId: 'line' }],
  ];
  for (const [rule, facts, refusal, evidence] of rows) {
    const all = { experience: EXPERIENCE, account: ACCOUNT, existingId: undefined, ...facts };
    const actual = refuseConnection(PROVIDER, { accountId: 'north', experienceId: 'desk' }, all);
    assert.deepEqual(actual, refusal && { ...refusal, evidence }, rule);
  }
});

function createUnknown(detail: string, member: string) {
  const errors = [{ pointer: `/${member}`, message: 'must identify an entity to which the caller has access' }];
  return { status: undefined, reason: 'connections.create.unknown-account-or-experience', detail, errors };
}

const UPDATED = '2026-01-01T00:00:00.000Z';
const EXPERIENCE_FACTS = { experienceId: 'desk', experienceName: 'Desk', providerId: 'acme' };
const CONNECTION = { id: 'line', accountId: 'north', updatedAt: UPDATED, ...EXPERIENCE_FACTS };

test('creating a connection causes the event of its state, too, if the decision about this state says so', () => {
  const activated = { 'connections.create.activated-event': 'yes' } as const;
  const deactivated = { 'connections.create.deactivated-event': 'yes' } as const;
  const listTypes = (state: ConnectionState, decisions: object) =>
    listCreationEvents({ ...CONNECTION, state }, { ...defaultDecisions, ...decisions }).map(({ type }) => type);
  const created = 'experience.connection.created';
  assert.deepEqual(listTypes('ACTIVE', activated), [created, 'experience.connection.activated']);
  assert.deepEqual(listTypes('INACTIVE', deactivated), [created, 'experience.connection.deactivated']);
  assert.deepEqual([listTypes('ACTIVE', deactivated), listTypes('INACTIVE', activated)], [[created], [created]]);
});

test('deleting an ACTIVE connection deactivates it first, if the decision says so, and each event is later than the last change', () => {
  const list = (state: ConnectionState, decision: 'yes' | 'no') =>
    listDeletionEvents({ ...CONNECTION, state }, Date.parse(UPDATED), {
      ...defaultDecisions,
      'events.connection.deleted.deactivated-first': decision,
    }).map(({ type, data }) => `${type} ${data.updatedAt}`);
  assert.deepEqual(list('ACTIVE', 'yes'), [
    'experience.connection.deactivated 2026-01-01T00:00:00.001Z',
    'experience.connection.deleted 2026-01-01T00:00:00.002Z',
  ]);
  const deleted = ['experience.connection.deleted 2026-01-01T00:00:00.001Z'];
  assert.deepEqual([list('INACTIVE', 'yes'), list('ACTIVE', 'no')], [deleted, deleted]);
});

test('refuses to change a connection to the state that it has', () => {
  assert.deepEqual(refuseSameState({ id: 'line', updatedAt: UPDATED }, 'ACTIVE'), {
    status: 409,
    reason: 'connections.update.same-state',
    detail: 'The connection is already ACTIVE.',
    evidence: { cause: 'present state', connectionId: 'line', state: 'ACTIVE', updatedAt: UPDATED },
  });
});

test('assigned numbers prevent a deletion by the provider, and by the portal if the decision says so', () => {
  const isBlocked = (decision: 'allowed' | 'refused') =>
    [PROVIDER, PORTAL, PLATFORM].map((actor) =>
      isDeletionBlockedByNumbers(actor, { ...defaultDecisions, 'portal.delete-with-numbers': decision }),
    );
  assert.deepEqual(
    [isBlocked('allowed'), isBlocked('refused')],
    [
      [true, false, false],
      [true, true, false],
    ],
  );
  const assignments = [{ assignmentId: '1', number: '+15550100' }];
  assert.equal(refuseAssignedNumbers('line', []), undefined);
  assert.deepEqual(refuseAssignedNumbers('line', assignments), {
    status: 409,
    reason: 'connections.delete.numbers-assigned',
    detail: 'Telephone numbers are still assigned to the Experience.',
    evidence: { cause: 'numbers assigned', connectionId: 'line', assignments },
  });
});
