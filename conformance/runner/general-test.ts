import { type OperationId, operations } from '../../src/contract/generated/operations.ts';

export const OPERATIONS = Object.keys(operations) as OperationId[];

/** The operations by what they are about: a rule that holds for all of them is checked once for each group. */
export const GROUPS = {
  assignability: OPERATIONS.filter((id) => /Assignability/.test(id)),
  assignments: OPERATIONS.filter((id) => /Assignments?$/.test(id)),
  connections: OPERATIONS.filter((id) => /Connections?$/.test(id)),
  users: OPERATIONS.filter((id) => /Users?$/.test(id)),
} as const;
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** Of each group the operation that needs the least. */
export const REPRESENTATIVES = ['getExperienceAssignability', 'getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const;

export { test } from './test.ts';
