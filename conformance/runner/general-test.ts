import { mergeTests } from '@playwright/test';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { createGoodCalls, type GoodCalls } from '../actors/good-calls.ts';
import { test as assignmentsTest } from './assignments-test.ts';
import { test as connectionsTest } from './connections-test.ts';
import { repeated } from './repeated.ts';
import { SILENT } from './test.ts';

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

const merged = repeated(mergeTests(assignmentsTest, connectionsTest));

/** Playwright's test, for checks of rules that hold for several resources. */
export const test = merged.extend<{ calls: GoodCalls }>({
  calls: [
    async ({ api, need, has, ledger, assignments, connections }, use) =>
      use(createGoodCalls(api, ledger, { need, assignments, connections }, has)),
    SILENT,
  ],
});
