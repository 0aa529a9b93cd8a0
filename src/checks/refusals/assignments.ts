import { A, assign, C, check, NORTHWIND, number, remove, UNKNOWN_ID, UNKNOWN_NUMBER } from './demo.ts';
import type { Scenarios } from './scenario.ts';

const AGENT = '{experiences/concierge}';
const FREE_BODY = number('+12065550103');

/** Scenarios of the assignability check and of the operations on assignments. */
export const assignments = {
  'assignability.target-missing': [
    { title: 'The check has neither targetType nor targetValue.', request: check(AGENT, '') },
    { title: 'The check has no targetValue.', request: check(AGENT, 'targetType=USER') },
    { title: 'The check has no targetType.', request: check(AGENT, `targetValue=${UNKNOWN_ID}`) },
  ],
  'assignability.target-type-not-allowed': [
    { title: 'The targetType is FAX.', request: check(AGENT, `targetType=FAX&targetValue=${UNKNOWN_ID}`) },
  ],
  'assignability.target-value-format': [
    { title: 'The targetValue of a USER is not a UUID.', request: check(AGENT, 'targetType=USER&targetValue=ada') },
  ],
  'assignability.read-only': [
    { title: 'The Experience belongs to another provider, which lets this one only read it.', request: check('{experiences/directory}') },
  ],
  'assignability.not-found': [
    { title: 'The provider has no access to the Experience.', request: check('{experiences/switchboard}') },
    { title: 'The Experience does not exist.', request: check(UNKNOWN_ID) },
  ],
  'limits.assignability.rate': [
    { title: 'One client sends 250 checks at once.', request: { ...check(AGENT), token: 'worker-8' }, copies: 250 },
  ],
  'limits.assignability.per-credential': { metWith: 'limits.assignability.rate' },
  'limits.assignability.forms-share': { metWith: 'limits.assignability.rate' },
  'assignments.list.filter-required': [{ title: 'The list request has no filter.', request: { path: A } }],
  'assignments.list.value-needs-type': [
    { title: 'The list request has a targetValue without a targetType.', request: { path: `${A}?targetValue=%2B12065550100` } },
    { title: 'The targetValue without a targetType is a UUID.', request: { path: `${A}?targetValue={accounts/northwind}` } },
  ],
  'assignments.list.account-id-uuid': [{ title: 'The accountId is an alias.', request: { path: `${A}?accountId=northwind` } }],
  'assignments.list.experience-needs-account': [
    { title: 'The list request has an experienceId without an accountId.', request: { path: `${A}?experienceId=${AGENT}` } },
  ],
  'assignments.list.experience-id-uuid': [
    { title: 'The experienceId is an alias.', request: { path: `${A}?${NORTHWIND}&experienceId=concierge` } },
  ],
  'assignments.list.target-value-format': [
    { title: 'The telephone number has no plus sign.', request: { path: `${A}?targetType=PHONE_NUMBER&targetValue=12065550100` } },
  ],
  'assignments.list.target-type-not-allowed': [
    { title: 'The targetType is in lower case.', request: { path: `${A}?${NORTHWIND}&targetType=account` } },
  ],
  'assignments.list.type-alone': [{ title: 'The only filter is targetType.', request: { path: `${A}?targetType=USER` } }],
  'assignments.list.page-size-integer': [{ title: 'The pageSize is not a number.', request: { path: `${A}?${NORTHWIND}&pageSize=many` } }],
  'assignments.list.page-size-out-of-range': [
    { title: 'The pageSize is 101.', request: { path: `${A}?${NORTHWIND}&pageSize=101` }, status: 400 },
  ],
  'lists.cursor.invalid': [
    { title: 'The cursor was not issued by the service.', request: { path: `${A}?${NORTHWIND}&cursor=abc` }, status: 400 },
    { title: 'The cursor is empty.', request: { path: `${C}?${NORTHWIND}&cursor=` }, status: 400 },
  ],
  'assignments.create.required-field': [
    { title: 'The body is an empty object.', request: assign({}) },
    { title: 'The body has no targetType.', request: assign({ ...FREE_BODY, targetType: undefined }) },
  ],
  'assignments.create.invalid-value': [
    { title: 'The targetType is FAX.', request: assign({ ...FREE_BODY, targetType: 'FAX' }) },
    { title: 'The experienceId is a number.', request: assign({ ...FREE_BODY, experienceId: 7 }) },
  ],
  'assignments.create.target-value-format': [
    { title: 'The telephone number has no plus sign.', request: assign(number('12065550103')) },
    { title: 'The targetValue of a USER is not a UUID.', request: assign({ ...number('ada'), targetType: 'USER' }) },
  ],
  'assignments.create.malformed-body': [
    { title: 'The body is not valid JSON.', request: assign('{"targetType": "USER",}'), status: 422 },
    { title: 'The Content-Type is text/plain.', request: { ...assign(FREE_BODY), headers: { 'content-type': 'text/plain' } }, status: 422 },
    { title: 'The body is an array.', request: assign([]), status: 422 },
  ],
  'assignments.create.unknown-user': [
    { title: 'The user does not exist.', request: assign({ ...number(UNKNOWN_ID), targetType: 'USER' }) },
  ],
  'assignments.create.agent-number-taken': [
    { title: 'The number is assigned to another Experience of type AGENT.', request: assign(number('+12065550101', 'concierge')) },
  ],
  'assignments.create.duplicate': [
    {
      title: 'The number is already assigned to the Experience.',
      request: assign(number('+12065550100', 'concierge')),
      status: 409,
    },
  ],
  'assignments.create.unknown-experience': [
    { title: 'The provider has no access to the Experience.', request: assign(number('+12065550103', 'switchboard')), status: 422 },
    { title: 'The Experience does not exist.', request: assign({ ...FREE_BODY, experienceId: UNKNOWN_ID }), status: 422 },
  ],
  'assignments.create.read-only-experience': [
    { title: 'The provider may only read the Experience.', request: assign(number('+12065550103', 'directory')), status: 422 },
  ],
  'assignments.create.unknown-target': [
    { title: 'The number does not exist.', request: assign(number(UNKNOWN_NUMBER)), status: 422 },
    { title: 'The principal has no access to the account of the number.', request: assign(number('+12065550191')), status: 422 },
  ],
  'assignments.create.read-only-target': [
    { title: 'The principal may only read the account of the number.', request: assign(number('+12065550150')), status: 422 },
  ],
  'assignments.get.not-found': [
    { title: 'The assignment does not exist.', request: { path: `${A}/${UNKNOWN_ID}` } },
    { title: 'The provider has no access to the Experience.', request: { path: `${A}/{assignments/switchboard-contoso}` } },
    { title: 'The principal has no access to the account.', request: { path: `${A}/{assignments/concierge-hidden-line}` } },
  ],
  'assignments.delete.not-found': [
    { title: 'The assignment does not exist.', request: remove(`${A}/${UNKNOWN_ID}`) },
    { title: 'The caller has no access to the assignment.', request: remove(`${A}/{assignments/switchboard-contoso}`) },
  ],
  'assignments.delete.read-only': [
    { title: 'The provider may only read the Experience.', request: remove(`${A}/{assignments/directory-grace}`) },
    {
      title: 'The principal may only read the account.',
      request: { ...remove(`${A}/{assignments/concierge-main-line}`), token: 'reader' },
    },
  ],
} as const satisfies Partial<Scenarios>;
