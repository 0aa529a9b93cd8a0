import { type Assignments, createAssignments } from '../actors/make-assignment.ts';
import { test as base, SILENT } from './test.ts';

/** Playwright's test, for checks of assignments. */
export const test = base.extend<{ assignments: Assignments }>({
  assignments: [async ({ api, need, ledger }, use) => use(createAssignments(api, need, ledger)), SILENT],
});
