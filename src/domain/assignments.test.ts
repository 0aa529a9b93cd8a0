import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDecisions } from '../contract/generated/decisions.ts';
import { MANAGE, READ } from './access.ts';
import { type AssignmentFacts, decideAssignable, getTargetNoun, refuseAssignabilityCheck, refuseAssignment } from './assignments.ts';
import { PROVIDER } from './testing/actors.ts';

const EXPERIENCE = { experienceId: 'desk', experienceName: 'Desk', providerId: 'acme', type: 'AGENT', providerLevel: MANAGE } as const;
const TARGET = { accountId: 'north', principalLevel: MANAGE };
const FACTS = { experience: EXPERIENCE, target: TARGET, existing: [], isConnected: false };
const REQUEST = { experienceId: 'desk', targetType: 'PHONE_NUMBER', targetValue: '+15550100' } as const;

const HIDDEN_EXPERIENCE = { ...EXPERIENCE, providerLevel: null };
const READ_ONLY_EXPERIENCE = { ...EXPERIENCE, providerLevel: READ } as const;
const HIDDEN_TARGET = { ...TARGET, principalLevel: null };
const READ_ONLY_TARGET = { ...TARGET, principalLevel: READ };
const OTHER = { assignmentId: '1', experienceId: 'other', agentNumber: null };
const OF_AGENT = { assignmentId: '2', experienceId: 'agent', agentNumber: '+15550100' };
const SAME = { assignmentId: '3', experienceId: 'desk', agentNumber: '+15550100' };

const unknown = (what: string, value: string) => ({ cause: 'unknown', what, value });
const levels = (names: object) => ({ cause: 'levels', needed: 'manage', experienceId: 'desk', ...names });
const ofExperience = (level: string) => levels({ providerLevel: level, effectiveLevel: level });
const ofTarget = (level: string) => levels({ providerLevel: 'manage', accountId: 'north', principalLevel: level, effectiveLevel: level });
const DUPLICATE = { cause: 'already assigned', assignmentId: '3', experienceId: 'desk' };
const TAKEN = { cause: 'AGENT assignment', assignments: [{ assignmentId: '2', experienceId: 'agent' }] };
const NO_CONNECTION = { cause: 'no connection', accountId: 'north', experienceId: 'desk' };

const NO_EXPERIENCE = 'There is no such Experience.';
const READ_ONLY = 'The caller may read the Experience, but not';
const REFUSALS = {
  'unknown-experience': [undefined, NO_EXPERIENCE, 'experienceId'],
  'read-only-experience': [undefined, `${READ_ONLY} change it.`, 'experienceId'],
  'unknown-target': [undefined, 'There is no such PHONE_NUMBER.', 'targetValue'],
  'unknown-user': [422, 'The unified user store does not contain this user.', 'targetValue'],
  'read-only-target': [undefined, "The caller may read the target's account, but not change it.", 'targetValue'],
  duplicate: [undefined, 'The PHONE_NUMBER +15550100 is already assigned to this Experience.'],
  'agent-number-taken': [422, 'The telephone number is already assigned to another Experience of type AGENT.', 'targetValue'],
  'needs-connection': [undefined, 'The account has no connection to the Experience.'],
} as const;

type More = Partial<typeof defaultDecisions> & { readonly targetType?: 'USER' };
const AS_USER: More = { targetType: 'USER' };
const USER_404: More = { targetType: 'USER', 'assignments.create.unknown-target': 404 };
const NEEDS_CONNECTION: More = { 'assignments.create.needs-connection': 409 };

test('an assignment is refused for the first reason that applies', () => {
  const rows: readonly [rule: string, Partial<AssignmentFacts>, reason?: keyof typeof REFUSALS, evidence?: object, More?][] = [
    ['nothing prevents it', {}],
    ['an unknown Experience', { experience: undefined, target: undefined }, 'unknown-experience', unknown('experience', 'desk')],
    ['a hidden Experience', { experience: HIDDEN_EXPERIENCE, target: undefined }, 'unknown-experience', ofExperience('none')],
    ['a read-only Experience', { experience: READ_ONLY_EXPERIENCE, target: undefined }, 'read-only-experience', ofExperience('read')],
    ['an unknown number', { target: undefined }, 'unknown-target', unknown('telephone number', '+15550100')],
    ['an unknown user has its own rule', { target: undefined }, 'unknown-user', unknown('user', '+15550100'), USER_404],
    ['a hidden number', { target: HIDDEN_TARGET }, 'unknown-target', ofTarget('none')],
    ['a hidden user equals an unknown user', { target: HIDDEN_TARGET }, 'unknown-user', ofTarget('none'), AS_USER],
    ['a hidden user with another status', { target: HIDDEN_TARGET }, 'unknown-target', ofTarget('none'), USER_404],
    ['a read-only target', { target: READ_ONLY_TARGET, existing: [SAME] }, 'read-only-target', ofTarget('read')],
    ['a duplicate', { existing: [OF_AGENT, SAME] }, 'duplicate', DUPLICATE],
    ['a number of another AGENT Experience', { existing: [OTHER, OF_AGENT] }, 'agent-number-taken', TAKEN, NEEDS_CONNECTION],
    ['a number of an Experience of another type', { existing: [OTHER] }],
    ['a number of an AGENT, for another type', { existing: [OF_AGENT], experience: { ...EXPERIENCE, type: 'GENERAL' } }],
    ['no connection, if one is needed', {}, 'needs-connection', NO_CONNECTION, NEEDS_CONNECTION],
  ];
  for (const [rule, facts, reason, evidence, { targetType, ...decisions } = {}] of rows) {
    const request = { ...REQUEST, ...(targetType && { targetType }) };
    const actual = refuseAssignment(PROVIDER, request, { ...FACTS, ...facts }, { ...defaultDecisions, ...decisions });
    const [status, text = '', member] = reason ? REFUSALS[reason] : [];
    const detail = text.replace('PHONE_NUMBER', request.targetType);
    assert.deepEqual(actual, reason && createRefusal('assignments.create', reason, { status, detail, evidence }, member), rule);
  }
  const connected = refuseAssignment(PROVIDER, REQUEST, { ...FACTS, isConnected: true }, { ...defaultDecisions, ...NEEDS_CONNECTION });
  assert.equal(connected, undefined, 'the needed connection');
});

function createRefusal(prefix: string, reason: string, failure: object, member?: string) {
  const errors = [{ pointer: `/${member}`, message: 'must identify an entity to which the caller has access' }];
  return { reason: `${prefix}.${reason}`, ...failure, ...(member && { errors }) };
}

test('an assignability check is refused unless the caller may manage the Experience', () => {
  const rows: readonly [AssignmentFacts['experience'], reason?: string, status?: number, detail?: string, evidence?: object][] = [
    [EXPERIENCE],
    [undefined, 'not-found', 404, NO_EXPERIENCE, unknown('experience', 'desk')],
    [HIDDEN_EXPERIENCE, 'not-found', 404, NO_EXPERIENCE, ofExperience('none')],
    [READ_ONLY_EXPERIENCE, 'read-only', 403, `${READ_ONLY} check its assignability.`, ofExperience('read')],
  ];
  for (const [experience, reason, status, detail, evidence] of rows) {
    const expected = reason && createRefusal('assignability', reason, { status, detail, evidence });
    assert.deepEqual(refuseAssignabilityCheck(PROVIDER, 'desk', experience), expected);
  }
});

test('a target is assignable if it can be managed and nothing conflicts, or if a decision says so', () => {
  const rows: readonly [Partial<typeof FACTS> | object, evidence?: object, decision?: keyof typeof defaultDecisions][] = [
    [{}],
    [{ target: undefined }, unknown('telephone number', '+15550100')],
    [{ target: HIDDEN_TARGET }, ofTarget('none'), 'assignability.hidden-target'],
    [{ target: READ_ONLY_TARGET }, ofTarget('read'), 'assignability.hidden-target'],
    [{ existing: [SAME] }, DUPLICATE, 'assignability.already-assigned'],
    [{ existing: [OF_AGENT] }, TAKEN, 'assignability.agent-conflict'],
  ];
  for (const [facts, evidence, decision] of rows) {
    const decide = (more: More) => decideAssignable(PROVIDER, REQUEST, { ...FACTS, ...facts }, { ...defaultDecisions, ...more });
    assert.deepEqual(decide({}), evidence ? { assignable: false, evidence } : { assignable: true });
    if (decision) assert.deepEqual(decide({ [decision]: true }), { assignable: true });
  }
});

test('an explanation names the kind of the target', () => {
  const nouns = (['ACCOUNT', 'PHONE_NUMBER', 'USER'] as const).map((targetType) => getTargetNoun({ targetType }));
  assert.deepEqual(nouns, ['account', 'telephone number', 'user']);
});
