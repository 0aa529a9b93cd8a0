import {
  HOSTILE_INTEGERS,
  HOSTILE_MEMBERS,
  HOSTILE_TARGET_TYPES,
  HOSTILE_TARGETS,
  HOSTILE_UUIDS,
  TARGET_TYPES,
  type TargetType,
  UNFINISHED_JSON,
  UNKNOWN_NUMBER,
  UNKNOWN_UUID,
  UNLISTED_TARGET_TYPE,
} from './hostile-values.ts';
import { both, createPlaceholder, demo, hostile, type Refusal, type RefusalTable, type Values } from './refusal.ts';

const ACCOUNT = createPlaceholder('account.any');
const EXPERIENCE = createPlaceholder('experience.any');
const HIDDEN_EXPERIENCE = createPlaceholder('experience.hidden');
const READ_ONLY_EXPERIENCE = createPlaceholder('experience.read-only');
const TARGETS = { PHONE_NUMBER: createPlaceholder('number.any'), USER: createPlaceholder('user.any'), ACCOUNT };

const createQuery = (targetType: TargetType) => ({ targetType, targetValue: TARGETS[targetType] });
/** The check sends the valid body, so the target must be unassigned. */
const createBody = (targetType: TargetType) => ({
  experienceId: createPlaceholder('experience'),
  targetType,
  targetValue: createPlaceholder(targetType === 'USER' ? 'users' : 'numbers'),
});

const BY_ACCOUNT_AND_EXPERIENCE = { accountId: ACCOUNT, experienceId: EXPERIENCE };
const BY_ACCOUNT_AND_TYPE = { accountId: ACCOUNT, targetType: 'USER' };
const FAX = { targetType: UNLISTED_TARGET_TYPE };

const hostileTargets = (types: readonly TargetType[], createValid: (targetType: TargetType) => Values) =>
  types.map((type) => hostile(HOSTILE_TARGETS[type], 'targetValue', createValid(type)));

export const assignmentRefusals = {
  'assignability.scope': [{ as: 'without-scope' }],
  'assignability.target-missing': [
    demo('The request has neither targetType nor targetValue.', { values: { targetType: undefined, targetValue: undefined } }),
    both('The request has no targetValue.', { values: { targetValue: undefined } }),
    both('The request has no targetType.', { values: { targetType: undefined } }),
  ],
  'assignability.target-type-not-allowed': [
    both('The targetType is FAX.', { values: FAX }),
    hostile(HOSTILE_TARGET_TYPES, 'targetType', createQuery('USER')),
  ],
  'assignability.target-value-format': [
    demo('The targetValue of a USER is not a UUID.', { values: { targetType: 'USER', targetValue: 'ada' } }),
    ...hostileTargets(TARGET_TYPES, createQuery),
  ],
  'assignability.read-only': [
    both('The Experience belongs to another provider, which grants this provider read access only.', { id: READ_ONLY_EXPERIENCE }),
  ],
  'assignability.not-found': [
    both('The provider has no access to the Experience.', { id: HIDDEN_EXPERIENCE }),
    both('The Experience does not exist.', { id: UNKNOWN_UUID }),
    { id: 'no-such-experience', statuses: [404, 400] },
  ],
  'limits.assignability.rate': [
    demo('One client sends 250 assignability checks at the same time.', { request: { token: 'worker-8' }, copies: 250 }),
  ],
  'limits.assignability.per-credential': { metWith: 'limits.assignability.rate' },
  'limits.assignability.forms-share': { metWith: 'limits.assignability.rate' },

  'assignments.list.scope': [{ as: 'without-scope' }],
  'assignments.list.filter-required': [
    both('The list request has no filter.', { values: { accountId: undefined } }),
    { valid: { accountId: ACCOUNT, pageSize: 10 }, values: { accountId: undefined } },
  ],
  'assignments.list.value-needs-type': [
    both('The list request has a targetValue without a targetType.', {
      valid: createQuery('PHONE_NUMBER'),
      values: { targetType: undefined },
    }),
    demo('The list request has a UUID as the targetValue, but no targetType.', {
      valid: createQuery('ACCOUNT'),
      values: { targetType: undefined },
    }),
    { values: { targetValue: TARGETS.PHONE_NUMBER } },
  ],
  'assignments.list.account-id-uuid': [
    demo('The accountId is an alias.', { values: { accountId: 'northwind' } }),
    hostile(HOSTILE_UUIDS, 'accountId'),
  ],
  'assignments.list.experience-needs-account': [
    both('The list request has an experienceId without an accountId.', {
      valid: BY_ACCOUNT_AND_EXPERIENCE,
      values: { accountId: undefined },
    }),
    { valid: createQuery('PHONE_NUMBER'), values: { experienceId: EXPERIENCE } },
  ],
  'assignments.list.experience-id-uuid': [
    demo('The experienceId is an alias.', { values: { experienceId: 'concierge' } }),
    hostile(HOSTILE_UUIDS, 'experienceId', BY_ACCOUNT_AND_EXPERIENCE),
  ],
  'assignments.list.target-value-format': [
    demo('The telephone number has no plus sign.', { valid: createQuery('PHONE_NUMBER'), values: { targetValue: '12065550100' } }),
    ...hostileTargets(TARGET_TYPES, createQuery),
  ],
  'assignments.list.target-type-not-allowed': [
    demo('The targetType is in lower case.', { values: { targetType: 'account' } }),
    hostile(HOSTILE_TARGET_TYPES, 'targetType', BY_ACCOUNT_AND_TYPE),
    ...[createQuery('PHONE_NUMBER'), createQuery('USER')].map((valid) => ({ valid, values: FAX })),
  ],
  'assignments.list.type-alone': [
    both('The list request has a targetType but no other filter.', { valid: BY_ACCOUNT_AND_TYPE, values: { accountId: undefined } }),
  ],
  'assignments.list.page-size-integer': [
    demo('The pageSize is not a number.', { values: { pageSize: 'many' } }),
    hostile(HOSTILE_INTEGERS, 'pageSize', { accountId: ACCOUNT, pageSize: 10 }),
  ],
  'assignments.list.page-size-out-of-range': [
    demo('The pageSize is 101.', { operation: 'getExperienceAssignments', values: { pageSize: 101 } }),
  ],
  'lists.cursor.invalid': [
    demo('The cursor was not issued by the service.', { operation: 'getExperienceAssignments', values: { cursor: 'abc' } }),
    demo('The cursor is empty.', { operation: 'getExperienceConnections', values: { cursor: '' } }),
  ],

  'assignments.create.scope': [{ as: 'without-scope' }],
  'assignments.create.required-field': [
    demo('The body is an empty object.', { valid: {} }),
    both('The body has no targetType.', { values: { targetType: undefined } }),
    { values: { experienceId: undefined } },
    { values: { targetValue: undefined } },
  ],
  'assignments.create.invalid-value': [
    demo('The targetType is FAX.', { values: FAX }),
    demo('The experienceId is a number.', { values: { experienceId: 7 } }),
    // A server that treats an unknown type as PHONE_NUMBER or USER accepts some of these values.
    ...(['PHONE_NUMBER', 'USER'] as const).flatMap((targetType) => [
      hostile([...HOSTILE_TARGET_TYPES, ...HOSTILE_MEMBERS], 'targetType', createBody(targetType)),
      hostile(HOSTILE_MEMBERS, 'targetValue', createBody(targetType)),
    ]),
    // A server may read a number or a boolean as a string, which is the id of no Experience.
    hostile(
      HOSTILE_MEMBERS.filter(({ value }) => typeof value === 'object'),
      'experienceId',
    ),
  ],
  'assignments.create.target-value-format': [
    demo('The telephone number has no plus sign.', { values: { targetValue: '12065550103' } }),
    demo('The targetValue of a USER is not a UUID.', { values: { targetType: 'USER', targetValue: 'ada' } }),
    ...hostileTargets(['PHONE_NUMBER', 'USER'], createBody),
  ],
  'assignments.create.malformed-body': onCreate(
    both('The body is not valid JSON.', { rawBody: UNFINISHED_JSON }),
    demo('The Content-Type is text/plain.', { request: { headers: { 'content-type': 'text/plain' } } }),
    both('The body is an array.', { rawBody: '[]' }),
    { rawBody: '' },
    { rawBody: 'null' },
  ),
  'assignments.create.unknown-user': [
    both('The user does not exist.', { valid: createBody('USER'), values: { targetValue: UNKNOWN_UUID } }),
  ],
  'assignments.create.agent-number-taken': [
    demo('The number is assigned to another Experience of type AGENT.', {
      values: { experienceId: '{experiences/concierge}', targetValue: '+12065550101' },
    }),
  ],
  'assignments.create.duplicate': onCreate(
    demo('The number is already assigned to the Experience.', {
      values: { experienceId: '{experiences/concierge}', targetValue: '+12065550100' },
    }),
  ),
  'assignments.create.unknown-experience': onCreate(
    both('The provider has no access to the Experience.', { values: { experienceId: HIDDEN_EXPERIENCE } }),
    both('The Experience does not exist.', { values: { experienceId: UNKNOWN_UUID } }),
  ),
  'assignments.create.read-only-experience': onCreate(
    both('The provider may only read the Experience.', { values: { experienceId: READ_ONLY_EXPERIENCE } }),
  ),
  // The specification defines the status for an unknown user, see assignments.create.unknown-user.
  'assignments.create.unknown-target': onCreate(
    both('The number does not exist.', { values: { targetValue: UNKNOWN_NUMBER } }),
    demo("The principal has no access to the number's account.", { values: { targetValue: '+12065550191' } }),
    { values: { targetType: 'ACCOUNT', targetValue: UNKNOWN_UUID } },
    { values: { targetType: 'ACCOUNT', targetValue: createPlaceholder('account.hidden') } },
    { values: { targetType: 'USER', targetValue: createPlaceholder('user.hidden') } },
    { as: 'outsider' },
  ),
  'assignments.create.read-only-target': onCreate(
    demo("The principal has only read access to the number's account.", { values: { targetValue: '+12065550150' } }),
    { as: 'reader' },
  ),

  'assignments.get.scope': [{ as: 'without-scope' }],
  'assignments.get.not-found': [
    both('The assignment does not exist.', { id: UNKNOWN_UUID }),
    demo('The provider has no access to the Experience.', { id: '{assignments/switchboard-contoso}' }),
    demo('The principal has no access to the account.', { id: '{assignments/concierge-hidden-line}' }),
    { as: 'outsider' },
    { id: 'no-such-assignment', statuses: [404, 400] },
  ],
  'assignments.delete.scope': [{ as: 'without-scope' }],
  'assignments.delete.not-found': [
    both('The assignment does not exist.', { id: UNKNOWN_UUID }),
    demo('The caller has no access to the assignment.', { id: '{assignments/switchboard-contoso}' }),
    { as: 'outsider' },
    { id: 'no-such-assignment', statuses: [404, 400] },
  ],
  'assignments.delete.read-only': [
    demo('The provider may only read the Experience.', { id: '{assignments/directory-grace}' }),
    both('The principal may only read the account.', { as: 'reader' }),
  ],
} as const satisfies Partial<RefusalTable>;

function onCreate(...refusals: readonly [Refusal, ...Refusal[]]) {
  return refusals.map((refusal) => ({ ...refusal, operation: 'createExperienceAssignment' })) as [Refusal, ...Refusal[]];
}
