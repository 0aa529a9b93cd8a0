import {
  ASSIGNMENTS_PATH,
  buildAssignabilityRequest,
  buildAssignmentBody,
  buildCreateAssignmentRequest,
  buildDeleteRequest,
  CONNECTIONS_PATH,
  NORTHWIND_FILTER,
  UNKNOWN_ID,
  UNKNOWN_NUMBER,
} from './demo-requests.ts';
import type { Scenarios } from './scenario.ts';

const AGENT_EXPERIENCE = '{experiences/concierge}';
const FREE_NUMBER_BODY = buildAssignmentBody('+12065550103');

export const assignmentScenarios = {
  'assignability.target-missing': [
    { title: 'The request has neither targetType nor targetValue.', request: buildAssignabilityRequest(AGENT_EXPERIENCE, '') },
    { title: 'The request has no targetValue.', request: buildAssignabilityRequest(AGENT_EXPERIENCE, 'targetType=USER') },
    { title: 'The request has no targetType.', request: buildAssignabilityRequest(AGENT_EXPERIENCE, `targetValue=${UNKNOWN_ID}`) },
  ],
  'assignability.target-type-not-allowed': [
    { title: 'The targetType is FAX.', request: buildAssignabilityRequest(AGENT_EXPERIENCE, `targetType=FAX&targetValue=${UNKNOWN_ID}`) },
  ],
  'assignability.target-value-format': [
    {
      title: 'The targetValue of a USER is not a UUID.',
      request: buildAssignabilityRequest(AGENT_EXPERIENCE, 'targetType=USER&targetValue=ada'),
    },
  ],
  'assignability.read-only': [
    {
      title: 'The Experience belongs to another provider, which grants this provider read access only.',
      request: buildAssignabilityRequest('{experiences/directory}'),
    },
  ],
  'assignability.not-found': [
    { title: 'The provider has no access to the Experience.', request: buildAssignabilityRequest('{experiences/switchboard}') },
    { title: 'The Experience does not exist.', request: buildAssignabilityRequest(UNKNOWN_ID) },
  ],
  'limits.assignability.rate': [
    {
      title: 'One client sends 250 assignability checks at the same time.',
      request: { ...buildAssignabilityRequest(AGENT_EXPERIENCE), token: 'worker-8' },
      copies: 250,
    },
  ],
  'limits.assignability.per-credential': { metWith: 'limits.assignability.rate' },
  'limits.assignability.forms-share': { metWith: 'limits.assignability.rate' },
  'assignments.list.filter-required': [{ title: 'The list request has no filter.', request: { path: ASSIGNMENTS_PATH } }],
  'assignments.list.value-needs-type': [
    {
      title: 'The list request has a targetValue without a targetType.',
      request: { path: `${ASSIGNMENTS_PATH}?targetValue=%2B12065550100` },
    },
    {
      title: 'The list request has a UUID as the targetValue, but no targetType.',
      request: { path: `${ASSIGNMENTS_PATH}?targetValue={accounts/northwind}` },
    },
  ],
  'assignments.list.account-id-uuid': [
    { title: 'The accountId is an alias.', request: { path: `${ASSIGNMENTS_PATH}?accountId=northwind` } },
  ],
  'assignments.list.experience-needs-account': [
    {
      title: 'The list request has an experienceId without an accountId.',
      request: { path: `${ASSIGNMENTS_PATH}?experienceId=${AGENT_EXPERIENCE}` },
    },
  ],
  'assignments.list.experience-id-uuid': [
    { title: 'The experienceId is an alias.', request: { path: `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}&experienceId=concierge` } },
  ],
  'assignments.list.target-value-format': [
    {
      title: 'The telephone number has no plus sign.',
      request: { path: `${ASSIGNMENTS_PATH}?targetType=PHONE_NUMBER&targetValue=12065550100` },
    },
  ],
  'assignments.list.target-type-not-allowed': [
    { title: 'The targetType is in lower case.', request: { path: `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}&targetType=account` } },
  ],
  'assignments.list.type-alone': [
    { title: 'The list request has a targetType but no other filter.', request: { path: `${ASSIGNMENTS_PATH}?targetType=USER` } },
  ],
  'assignments.list.page-size-integer': [
    { title: 'The pageSize is not a number.', request: { path: `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}&pageSize=many` } },
  ],
  'assignments.list.page-size-out-of-range': [
    { title: 'The pageSize is 101.', request: { path: `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}&pageSize=101` }, status: 400 },
  ],
  'lists.cursor.invalid': [
    {
      title: 'The cursor was not issued by the service.',
      request: { path: `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}&cursor=abc` },
      status: 400,
    },
    { title: 'The cursor is empty.', request: { path: `${CONNECTIONS_PATH}?${NORTHWIND_FILTER}&cursor=` }, status: 400 },
  ],
  'assignments.create.required-field': [
    { title: 'The body is an empty object.', request: buildCreateAssignmentRequest({}) },
    { title: 'The body has no targetType.', request: buildCreateAssignmentRequest({ ...FREE_NUMBER_BODY, targetType: undefined }) },
  ],
  'assignments.create.invalid-value': [
    { title: 'The targetType is FAX.', request: buildCreateAssignmentRequest({ ...FREE_NUMBER_BODY, targetType: 'FAX' }) },
    { title: 'The experienceId is a number.', request: buildCreateAssignmentRequest({ ...FREE_NUMBER_BODY, experienceId: 7 }) },
  ],
  'assignments.create.target-value-format': [
    { title: 'The telephone number has no plus sign.', request: buildCreateAssignmentRequest(buildAssignmentBody('12065550103')) },
    {
      title: 'The targetValue of a USER is not a UUID.',
      request: buildCreateAssignmentRequest({ ...buildAssignmentBody('ada'), targetType: 'USER' }),
    },
  ],
  'assignments.create.malformed-body': [
    { title: 'The body is not valid JSON.', request: buildCreateAssignmentRequest('{"targetType": "USER",}'), status: 422 },
    {
      title: 'The Content-Type is text/plain.',
      request: { ...buildCreateAssignmentRequest(FREE_NUMBER_BODY), headers: { 'content-type': 'text/plain' } },
      status: 422,
    },
    { title: 'The body is an array.', request: buildCreateAssignmentRequest([]), status: 422 },
  ],
  'assignments.create.unknown-user': [
    {
      title: 'The user does not exist.',
      request: buildCreateAssignmentRequest({ ...buildAssignmentBody(UNKNOWN_ID), targetType: 'USER' }),
    },
  ],
  'assignments.create.agent-number-taken': [
    {
      title: 'The number is assigned to another Experience of type AGENT.',
      request: buildCreateAssignmentRequest(buildAssignmentBody('+12065550101', 'concierge')),
    },
  ],
  'assignments.create.duplicate': [
    {
      title: 'The number is already assigned to the Experience.',
      request: buildCreateAssignmentRequest(buildAssignmentBody('+12065550100', 'concierge')),
      status: 409,
    },
  ],
  'assignments.create.unknown-experience': [
    {
      title: 'The provider has no access to the Experience.',
      request: buildCreateAssignmentRequest(buildAssignmentBody('+12065550103', 'switchboard')),
      status: 422,
    },
    {
      title: 'The Experience does not exist.',
      request: buildCreateAssignmentRequest({ ...FREE_NUMBER_BODY, experienceId: UNKNOWN_ID }),
      status: 422,
    },
  ],
  'assignments.create.read-only-experience': [
    {
      title: 'The provider may only read the Experience.',
      request: buildCreateAssignmentRequest(buildAssignmentBody('+12065550103', 'directory')),
      status: 422,
    },
  ],
  'assignments.create.unknown-target': [
    { title: 'The number does not exist.', request: buildCreateAssignmentRequest(buildAssignmentBody(UNKNOWN_NUMBER)), status: 422 },
    {
      title: "The principal has no access to the number's account.",
      request: buildCreateAssignmentRequest(buildAssignmentBody('+12065550191')),
      status: 422,
    },
  ],
  'assignments.create.read-only-target': [
    {
      title: "The principal has only read access to the number's account.",
      request: buildCreateAssignmentRequest(buildAssignmentBody('+12065550150')),
      status: 422,
    },
  ],
  'assignments.get.not-found': [
    { title: 'The assignment does not exist.', request: { path: `${ASSIGNMENTS_PATH}/${UNKNOWN_ID}` } },
    { title: 'The provider has no access to the Experience.', request: { path: `${ASSIGNMENTS_PATH}/{assignments/switchboard-contoso}` } },
    { title: 'The principal has no access to the account.', request: { path: `${ASSIGNMENTS_PATH}/{assignments/concierge-hidden-line}` } },
  ],
  'assignments.delete.not-found': [
    { title: 'The assignment does not exist.', request: buildDeleteRequest(`${ASSIGNMENTS_PATH}/${UNKNOWN_ID}`) },
    {
      title: 'The caller has no access to the assignment.',
      request: buildDeleteRequest(`${ASSIGNMENTS_PATH}/{assignments/switchboard-contoso}`),
    },
  ],
  'assignments.delete.read-only': [
    {
      title: 'The provider may only read the Experience.',
      request: buildDeleteRequest(`${ASSIGNMENTS_PATH}/{assignments/directory-grace}`),
    },
    {
      title: 'The principal may only read the account.',
      request: { ...buildDeleteRequest(`${ASSIGNMENTS_PATH}/{assignments/concierge-main-line}`), token: 'reader' },
    },
  ],
} as const satisfies Partial<Scenarios>;
