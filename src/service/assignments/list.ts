import { because, type Evidence } from '../../contract/evidence.ts';
import { decided, type Json } from '../../contract/outcome.ts';
import { type Actor, accountLevel, NONE } from '../../domain/access.ts';
import { accountAccess } from '../../store/access.ts';
import { type AssignmentFilters, assignmentList } from '../../store/assignments.ts';
import type { PageRow } from '../../store/prepared.ts';
import type { TargetType } from '../../store/schema.ts';
import type { ServiceContext } from '../context.ts';
import { tooLow, unknown } from '../judged.ts';
import { pageOf, saidPageSize, startOf } from '../page.ts';
import { principalOf, providerOf } from '../target.ts';
import type { Assignment } from './entity.ts';

export interface AssignmentsQuery extends AssignmentFilters {
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

export interface AssignmentPage {
  entities: Assignment[];
  cursor: string | null;
  pageSize: number;
}

/** GET /experience/assignments: what the caller sees of it, oldest first unless decided otherwise. */
export async function listAssignments(context: ServiceContext, actor: Actor, query: AssignmentsQuery) {
  const { accountId, experienceId, targetType, targetValue, pageSize } = query;
  const { decisions, store } = context;
  if (accountId !== undefined && targetValue !== undefined && decisions['assignments.list.account-with-target'] !== 'and') {
    return decided('assignments.list.account-with-target', 'accountId is not combined with targetType and targetValue.');
  }
  const list = ['assignments', accountId, experienceId, targetType, targetValue].join('|');
  const start = startOf(context, list, query.cursor);
  if ('decided' in start) return start;

  const principalId = principalOf(actor);
  if (accountId !== undefined && (principalId !== '' || decisions['lists.hidden-account'] !== 'empty')) {
    const account = await accountAccess.first(store.db, { id: accountId, principalId });
    if (!account || accountLevel(actor, account.level) === NONE) {
      const evidence = account
        ? tooLow(actor, 'read', { account: { id: accountId, level: account.level } })
        : unknown('account', accountId);
      if (decisions['lists.hidden-account'] !== 'empty')
        return because(decided('lists.hidden-account', 'There is no such account.'), evidence);
      return { body: emptyPage(context, pageSize), evidence };
    }
  }
  if (start.empty) {
    const evidence: Evidence = { cause: 'cursor', problem: 'malformed' };
    return { body: emptyPage(context, pageSize), evidence };
  }

  const descending = decisions['lists.order'] === 'newest-first';
  const after = start.position?.[0];
  // An account that was just found visible needs no look at its grants row by row.
  const shape = { filters: query, principal: principalId !== '' && accountId === undefined, descending, after: after !== undefined };
  const rows = await assignmentList(shape).tuples<PageRow>(store.db, {
    providerId: providerOf(actor),
    principalId,
    accountId: accountId ?? '',
    experienceId: experienceId ?? '',
    targetType: targetType ?? ('' as TargetType),
    targetValue: targetValue ?? '',
    after: after ?? '',
    limit: pageSize + 1,
  });
  const body: Json<AssignmentPage> = pageOf(context, list, rows, pageSize);
  if (rows.length > 0) return { body };
  const evidence: Evidence = after
    ? { cause: 'cursor', problem: 'at the end' }
    : { cause: 'empty list', of: 'assignments', accountId, experienceId, targetType, targetValue };
  return { body, evidence };
}

function emptyPage(context: ServiceContext, pageSize: number): AssignmentPage {
  return { entities: [], cursor: null, pageSize: saidPageSize(context, pageSize, 0) };
}
