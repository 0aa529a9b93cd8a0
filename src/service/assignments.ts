import type { Evidence } from '../contract/evidence.ts';
import { addEvidence, isFailure, refuseByDecision } from '../contract/failure.ts';
import type { components } from '../contract/generated/service.ts';
import type { Json } from '../contract/outcome.ts';
import {
  type Actor,
  createAccessLevelEvidence,
  createUnknownEntityEvidence,
  getLevel,
  getPrincipalId,
  getProviderId,
  NONE,
  refuseHidden,
  refuseUnknown,
  refuseUnmanageable,
} from '../domain/access.ts';
import { refuseAssignment, type Target } from '../domain/assignments.ts';
import { createAssignmentEvent } from '../domain/events.ts';
import { formatInstant, getNextInstant } from '../domain/instants.ts';
import { buildPage, findPageStart, getPageFill, getReportedPageSize } from '../domain/pages.ts';
import { accountAccess, lockAccount } from '../store/accounts.ts';
import {
  type AssignmentFilters,
  type AssignmentOfExperience,
  assignmentAccess,
  assignmentById,
  assignmentPage,
  assignmentsOfTarget,
  deleteAssignmentRow,
  toAssignmentRow,
} from '../store/assignments.ts';
import { connectionOf } from '../store/connections.ts';
import { experienceAccess } from '../store/experiences.ts';
import { insertRow, type PageRow } from '../store/prepared.ts';
import type { ServiceContext, WriteScope } from './context.ts';
import { publish } from './publish.ts';
import { findTarget } from './targets.ts';
import { writeWithRetry } from './write.ts';

/** An assignment as the API returns it (Resources › ExperienceAssignment). */
type Assignment = components['schemas']['ExperienceAssignment'];

interface AssignmentPage {
  entities: Assignment[];
  cursor: string | null;
  pageSize: number;
}

interface AssignmentsQuery extends AssignmentFilters {
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

export async function listAssignments(
  { store, getListDatabase, decisions, cursors }: ServiceContext,
  actor: Actor,
  query: AssignmentsQuery,
) {
  const { accountId, experienceId, targetType, targetValue, cursor, pageSize } = query;
  if (accountId !== undefined && targetValue !== undefined && decisions['assignments.list.account-with-target'] !== 'and') {
    return refuseByDecision('assignments.list.account-with-target', 'accountId cannot be combined with targetType and targetValue.');
  }
  const list = ['assignments', accountId, experienceId, targetType, targetValue].join('|');
  const start = findPageStart(decisions, cursor === undefined ? undefined : cursors.read(cursor, list));
  if (isFailure(start)) return start;
  const empty: AssignmentPage = { entities: [], cursor: null, pageSize: getReportedPageSize(decisions, pageSize, 0) };

  const principalId = getPrincipalId(actor);
  if (accountId !== undefined && (principalId !== '' || decisions['lists.hidden-account'] !== 'empty')) {
    const account = await accountAccess.first(store.db, { id: accountId, principalId });
    if (!account || getLevel(actor, account) === NONE) {
      const evidence = account ? createAccessLevelEvidence(actor, 'read', account) : createUnknownEntityEvidence('account', accountId);
      if (decisions['lists.hidden-account'] === 'empty') return { body: empty, evidence };
      return addEvidence(refuseByDecision('lists.hidden-account', 'There is no such account.'), evidence);
    }
  }
  if (start.isEmpty) {
    const evidence: Evidence = { cause: 'cursor', problem: 'malformed' };
    return { body: empty, evidence };
  }

  const filters = { accountId, experienceId, targetType, targetValue };
  const fill = getPageFill(decisions, query);
  const params = {
    ...filters,
    providerId: getProviderId(actor),
    // With an accountId, the principal's access was already checked.
    principalId: principalId === '' || accountId !== undefined ? undefined : principalId,
    after: start.after,
    limit: fill + 1,
  };
  const page = assignmentPage(params, decisions['lists.order'] === 'newest-first' ? 'desc' : 'asc');
  const rows = await page.tuples<PageRow>(await getListDatabase(), params);
  const body = buildPage<AssignmentPage>(rows, { cursors, decisions, list, pageSize, fill });
  if (rows.length > 0) return { body };
  const evidence: Evidence = start.after
    ? { cause: 'cursor', problem: 'at the end' }
    : { cause: 'empty list', of: 'assignments', ...filters };
  return { body, evidence };
}

export interface NewAssignment extends Target {
  readonly experienceId: string;
  /** The alias in the world. Default: the assignment's id. */
  readonly alias?: string | undefined;
}

export function createAssignment(context: ServiceContext, actor: Actor, input: NewAssignment) {
  return writeWithRetry(context.store, (tx) => createInTransaction({ tx, context, actor }, input));
}

async function createInTransaction(scope: WriteScope, input: NewAssignment) {
  const { tx, context, actor } = scope;
  const { experienceId, targetType, targetValue } = input;
  const { decisions, clock, ids } = context;
  const experience = await experienceAccess.first(tx, { id: experienceId, providerId: getProviderId(actor) });
  let target = await findTarget(tx, actor, input);
  // Another writer may have deleted the target before the lock, or recreated it in another account, which then needs a lock too.
  for (let locked: string | undefined; target && target.accountId !== locked; ) {
    locked = target.accountId;
    if (await lockAccount(tx, locked)) target = await findTarget(tx, actor, input);
  }
  const existing = await assignmentsOfTarget(tx, { targetType, targetValue });
  const isConnected =
    decisions['assignments.create.needs-connection'] !== 'no' &&
    target !== undefined &&
    (await connectionOf.first(tx, { accountId: target.accountId, experienceId })) !== undefined;
  const refusal = refuseAssignment(actor, input, { experience, target, existing, isConnected }, decisions);
  if (refusal) return refusal;

  const updatedAt = formatInstant(clock.now());
  const assignment: Assignment = { id: ids.uuid(), experienceId, accountId: target!.accountId, targetType, targetValue, updatedAt };
  const row = toAssignmentRow(assignment, input.alias ?? assignment.id, experience!.type === 'AGENT');
  await insertRow(tx, 'assignments', row);
  await publish(scope, [createAssignmentEvent('created', { ...experience!, ...assignment })], updatedAt);
  const body: Json<Assignment> = { json: row.json };
  return { assignment, body };
}

export async function readAssignment({ store }: ServiceContext, actor: Actor, id: string) {
  const row = await assignmentAccess.first(store.db, { id, providerId: getProviderId(actor), principalId: getPrincipalId(actor) });
  const refusal = refuseHidden(actor, { what: 'assignment', id, access: row }, 'read', 'assignments.get.not-found');
  if (refusal) return refusal;
  const body: Json<Assignment> = { json: row!.json };
  return { body };
}

const NOT_FOUND = 'assignments.delete.not-found';

export function deleteAssignment(context: ServiceContext, actor: Actor, id: string) {
  return context.store.write(async (tx) => {
    const access = await assignmentAccess.first(tx, { id, providerId: getProviderId(actor), principalId: getPrincipalId(actor) });
    const requested = { what: 'assignment', id, access } as const;
    const refusal = refuseUnmanageable(actor, requested, NOT_FOUND, 'assignments.delete.read-only');
    if (refusal) return refusal;
    // Another writer may have deleted the assignment after the read above.
    const removed = await removeAssignments({ tx, context, actor }, await assignmentById(tx, { id }));
    return removed === 1 ? { body: undefined } : refuseUnknown(requested, NOT_FOUND);
  });
}

/** Skips assignments that another writer deleted. @returns the number of deleted assignments */
export async function removeAssignments(scope: WriteScope, assignments: readonly AssignmentOfExperience[]) {
  let removed = 0;
  for (const assignment of assignments) {
    if ((await deleteAssignmentRow.executeWrite(scope.tx, { id: assignment.id })) === 0) continue;
    removed++;
    const now = scope.context.clock.now();
    const updatedAt = getNextInstant(now, assignment.updatedAt);
    await publish(scope, [createAssignmentEvent('deleted', { ...assignment, updatedAt })], formatInstant(now));
  }
  return removed;
}
