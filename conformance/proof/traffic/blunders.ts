import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { CallOptions } from '../../actors/api-client.ts';

export const UNKNOWN_ID = '0190a000-0000-7000-8000-00000000000a';
/** Requests with one fault. */
export const BLUNDERS: readonly (readonly [OperationId, (account: string, experience: string) => CallOptions])[] = [
  ['getUsers', () => ({})],
  ['getUsers', (accountId) => ({ query: { accountId, pageSize: 201 } })],
  ['getUsers', (accountId) => ({ query: { accountId, pageSize: 'ten' } })],
  ['getUsers', (accountId) => ({ query: { accountId, cursor: 'nonsense' } })],
  ['getUsers', (accountId) => ({ query: { accountId, sortOrder: 'sideways' } })],
  ['getUsers', () => ({ query: { accountId: '12' } })],
  ['getUser', () => ({ path: { userId: 'no-such-style-' } })],
  ['getExperienceAssignments', () => ({})],
  ['getExperienceAssignments', (_, experienceId) => ({ query: { experienceId } })],
  ['getExperienceAssignments', (targetValue, experienceId) => ({ query: { experienceId, targetType: 'ACCOUNT', targetValue } })],
  ['getExperienceAssignments', () => ({ query: { targetValue: '+12065550100' } })],
  ['getExperienceAssignments', () => ({ query: { targetType: 'USER', targetValue: '+12065550100' } })],
  ['getExperienceAssignments', (accountId) => ({ query: { accountId, targetType: 'FAX' } })],
  ['getExperienceAssignments', (accountId) => ({ query: { accountId, pageSize: 500 } })],
  ['getExperienceAssignments', (accountId) => ({ query: { accountId, targetType: 'ACCOUNT', targetValue: accountId } })],
  ['getExperienceAssignments', () => ({ query: { accountId: 'x' } })],
  ['getExperienceConnections', () => ({})],
  ['getExperienceConnections', () => ({ query: { telephoneNumber: '2065550100' } })],
  ['getExperienceConnections', (accountId) => ({ query: { accountId, pageSize: 0 } })],
  ['getExperienceConnections', (accountId) => ({ query: { accountId, experienceId: 'x' } })],
  ['getExperienceAssignability', (_, experienceId) => ({ path: { experienceId }, query: { targetType: 'USER' } })],
  [
    'getExperienceAssignability',
    (targetValue, experienceId) => ({ path: { experienceId }, query: { targetType: 'PHONE_NUMBER', targetValue } }),
  ],
  ['getExperienceAssignability', (targetValue, experienceId) => ({ path: { experienceId }, query: { targetType: 'FAX', targetValue } })],
  ['getExperienceAssignability', (targetValue) => ({ path: { experienceId: UNKNOWN_ID }, query: { targetType: 'ACCOUNT', targetValue } })],
  ['createExperienceAssignment', (targetValue) => ({ body: { targetType: 'ACCOUNT', targetValue } })],
  ['createExperienceAssignment', (_, experienceId) => ({ body: { experienceId, targetType: 'USER', targetValue: UNKNOWN_ID } })],
  ['createExperienceAssignment', (_, experienceId) => ({ body: { experienceId, targetType: 'PHONE_NUMBER', targetValue: '12' } })],
  ['createExperienceAssignment', () => ({ rawBody: '{' })],
  ['createExperienceConnection', () => ({ body: {} })],
  ['getExperienceConnection', () => ({ path: { experienceConnectionId: UNKNOWN_ID } })],
  ['deleteExperienceAssignment', () => ({ path: { assignmentId: UNKNOWN_ID } })],
];
