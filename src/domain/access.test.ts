import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Access,
  type Actor,
  createAccessLevelEvidence,
  getLevel,
  getPrincipalId,
  getProviderId,
  MANAGE,
  NONE,
  type PermissionsUnavailable,
  READ,
  refuseHidden,
  refuseUnmanageable,
} from './access.ts';
import { CALLER, PLATFORM, PROVIDER } from './testing/actors.ts';

const WITHOUT_PRINCIPAL: Actor = { kind: 'provider', caller: { ...CALLER, principalId: undefined } };

test('the access level is the lower of the levels that apply', () => {
  const rows: [rule: string, Actor, Access, level: number][] = [
    ["the provider's level is the lower one", PROVIDER, { providerLevel: READ, principalLevel: MANAGE }, READ],
    ["the principal's level is the lower one", PROVIDER, { providerLevel: MANAGE, principalLevel: READ }, READ],
    ['a provider without a grant has no access', PROVIDER, { providerLevel: null, principalLevel: MANAGE }, NONE],
    ['a principal without a grant has no access', PROVIDER, { providerLevel: MANAGE, principalLevel: null }, NONE],
    ["without a principal, only the provider's level applies", WITHOUT_PRINCIPAL, { providerLevel: READ, principalLevel: null }, READ],
    ['only the levels on which the operation depends apply', PROVIDER, { principalLevel: READ }, READ],
    ['an operation that depends on no level is permitted', PROVIDER, {}, MANAGE],
    ['the portal and the platform are not limited', PLATFORM, { providerLevel: null, principalLevel: null }, MANAGE],
  ];
  for (const [rule, actor, access, level] of rows) assert.equal(getLevel(actor, access), level, rule);
});

test('the evidence names the levels that apply', () => {
  const experience = { experienceId: 'desk', providerLevel: READ };
  const account = { accountId: 'north', principalLevel: MANAGE };
  const rows: [Actor, Access, object][] = [
    [PROVIDER, experience, { experienceId: 'desk', providerLevel: 'read', effectiveLevel: 'read' }],
    [PROVIDER, account, { accountId: 'north', principalLevel: 'manage', effectiveLevel: 'manage' }],
    [WITHOUT_PRINCIPAL, account, { accountId: 'north', effectiveLevel: 'manage' }],
    [PLATFORM, { ...account, principalLevel: null }, { accountId: 'north', principalLevel: 'manage', effectiveLevel: 'manage' }],
    [PROVIDER, { ...experience, providerLevel: null }, { experienceId: 'desk', providerLevel: 'none', effectiveLevel: 'none' }],
  ];
  for (const [actor, access, levels] of rows)
    assert.deepEqual(createAccessLevelEvidence(actor, 'manage', access), { cause: 'levels', needed: 'manage', ...levels });
});

test('only the grants of a provider and its principal limit an actor', () => {
  assert.deepEqual([getProviderId(PROVIDER), getPrincipalId(PROVIDER)], ['acme', 'alice']);
  assert.deepEqual([getProviderId(WITHOUT_PRINCIPAL), getPrincipalId(WITHOUT_PRINCIPAL)], ['acme', '']);
  assert.deepEqual([getProviderId(PLATFORM), getPrincipalId(PLATFORM)], ['', '']);
});

test('during an outage of the authorization service, looking up the grants throws the outage', () => {
  const outage = { cause: 'fault', faultId: 'fault-1', seen: 1 } as unknown as NonNullable<typeof CALLER.outage>;
  assert.throws(() => getProviderId({ kind: 'provider', caller: { ...CALLER, outage } }), {
    name: 'PermissionsUnavailable',
    message: "the caller's permissions cannot be looked up",
    outage,
  } satisfies Partial<PermissionsUnavailable>);
});

const LINE = { what: 'connection', id: 'line' } as const;
const UNKNOWN = { status: 404, reason: 'hidden', detail: 'There is no such connection.' };
const NOT_FOUND = { ...UNKNOWN, evidence: { cause: 'unknown', what: 'connection', value: 'line' } };
const describeLevel = (needed: string, level: string) => ({
  cause: 'levels',
  needed,
  of: 'connection',
  id: 'line',
  experienceId: 'desk',
  providerLevel: level,
  effectiveLevel: level,
});

test('an entity is refused as unknown if the caller may not read it, and with another rule if the caller may only read it', () => {
  const readOnly = { status: 403, reason: 'read-only', detail: 'The caller may read this connection, but not change it.' };
  const rows: [Access['providerLevel'], hidden: object | undefined, unmanageable: object | undefined][] = [
    [undefined, NOT_FOUND, NOT_FOUND],
    [null, { ...UNKNOWN, evidence: describeLevel('read', 'none') }, { ...UNKNOWN, evidence: describeLevel('manage', 'none') }],
    [READ, undefined, { ...readOnly, evidence: describeLevel('manage', 'read') }],
    [MANAGE, undefined, undefined],
  ];
  for (const [providerLevel, hidden, unmanageable] of rows) {
    const requested = { ...LINE, access: providerLevel === undefined ? undefined : { experienceId: 'desk', providerLevel } };
    assert.deepEqual(refuseHidden(PROVIDER, requested, 'read', 'hidden'), hidden, `${providerLevel}`);
    assert.deepEqual(refuseUnmanageable(PROVIDER, requested, 'hidden', 'read-only'), unmanageable, `${providerLevel}`);
  }
});
