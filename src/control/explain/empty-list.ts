import { sql } from 'kysely';
import type { AccessLevels, Evidence, RequestSender } from '../../contract/evidence.ts';
import {
  type Access,
  type Actor,
  createAccessLevelEvidence,
  createUnknownEntityEvidence,
  describeLevels,
  getLevel,
  getPrincipalId,
  getProviderId,
  NONE,
} from '../../domain/access.ts';
import { getTargetNoun } from '../../domain/assignments.ts';
import type { ServiceContext } from '../../service/context.ts';
import { findTarget } from '../../service/targets.ts';
import { accountAccess } from '../../store/accounts.ts';
import type { AssignmentFilters } from '../../store/assignments.ts';
import type { Executor } from '../../store/engine.ts';
import { countUsers } from '../../store/users.ts';

type EmptyList = Extract<Evidence, { cause: 'empty list' }>;

type ExplainedList = EmptyList & {
  /** The number of the account's entities, including those that do not match the filters. Without an account, the same as `matching`. */
  readonly total: number;
  /** The number of entities that match the filters, including those that the caller cannot see. */
  readonly matching: number;
  /** The caller's access levels on the first few hidden entities. */
  readonly hidden: readonly AccessLevels[];
};
type UnlistedUsers = { readonly cause: 'not shown yet'; readonly accountId: string; readonly total: number; readonly lagMs: number };

/** The evidence from the journal, completed with the database's current state. */
export type CompleteEvidence = Exclude<Evidence, EmptyList> | ExplainedList | UnlistedUsers;

const MAX_HIDDEN_ENTITIES = 5;
const MAX_ROWS = 100;

export async function explainEmptyList(
  context: ServiceContext,
  sender: RequestSender | undefined,
  evidence: EmptyList,
): Promise<CompleteEvidence> {
  const { accountId } = evidence;
  const caller = { clientId: '', providerId: '', principalId: undefined, ...sender };
  const actor: Actor = { kind: 'provider', caller: { ...caller, providerId: caller.providerId ?? '' } };
  if (accountId !== undefined) {
    const account = await accountAccess.first(context.store.db, { id: accountId, principalId: getPrincipalId(actor) });
    if (!account) return createUnknownEntityEvidence('account', accountId);
    if (getLevel(actor, account) === NONE) return createAccessLevelEvidence(actor, 'read', account);
  }
  switch (evidence.of) {
    case 'users':
      return explainNoUsers(context, evidence);
    case 'connections':
      return explainNoConnections(context, actor, evidence);
    case 'assignments':
      return explainNoAssignments(context, actor, evidence);
  }
}

async function explainNoUsers({ store, decisions }: ServiceContext, evidence: EmptyList): Promise<CompleteEvidence> {
  const { accountId = '' } = evidence;
  const total = await countUsers(store.db, accountId);
  if (total > 0) return { cause: 'not shown yet', accountId, total, lagMs: decisions['users.list.read-model-lag'] };
  return { ...evidence, total, matching: 0, hidden: [] };
}

async function explainNoConnections({ store }: ServiceContext, actor: Actor, evidence: EmptyList): Promise<CompleteEvidence> {
  const { accountId, experienceId } = evidence;
  const all = await listWithLevels(store.db, actor, 'connections', { accountId });
  return describeRows(actor, evidence, all, experienceId === undefined ? all : all.filter((row) => row.experienceId === experienceId));
}

async function explainNoAssignments({ store }: ServiceContext, actor: Actor, evidence: EmptyList): Promise<CompleteEvidence> {
  const { accountId, experienceId, targetType, targetValue } = evidence;
  const matching = await listWithLevels(store.db, actor, 'assignments', { accountId, experienceId, targetType, targetValue });
  if (matching.length === 0 && targetType !== undefined && targetValue !== undefined) {
    const target = { targetType, targetValue };
    if (!(await findTarget(store.db, actor, target))) return createUnknownEntityEvidence(getTargetNoun(target), targetValue);
  }
  const all = accountId === undefined ? matching : await listWithLevels(store.db, actor, 'assignments', { accountId });
  return describeRows(actor, evidence, all, matching);
}

function describeRows(actor: Actor, evidence: EmptyList, all: readonly Access[], matching: readonly Access[]): ExplainedList {
  const hidden = matching.filter((row) => getLevel(actor, row) === NONE).slice(0, MAX_HIDDEN_ENTITIES);
  return { ...evidence, total: all.length, matching: matching.length, hidden: hidden.map((row) => describeLevels(actor, row)) };
}

/** Lists entities that the filters select, including hidden ones. The lists of connections do not depend on the principal. */
async function listWithLevels(
  db: Executor,
  actor: Actor,
  table: 'assignments' | 'connections',
  { accountId, experienceId, targetType, targetValue }: AssignmentFilters,
): Promise<Access[]> {
  const filters = { account_id: accountId, experience_id: experienceId, target_type: targetType, target_value: targetValue };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const conditions = given.map(([column, value]) => sql`${sql.ref(`t.${column}`)} = ${value}`);
  const { rows } = await sql<Required<Access>>`
    select t.experience_id as "experienceId", e.level as "providerLevel", t.account_id as "accountId", g.level as "principalLevel"
    from ${sql.table(table)} t
    left join experience_grants e on e.experience_id = t.experience_id and e.provider_id = ${getProviderId(actor)}
    left join account_grants g on g.account_id = t.account_id and g.principal_id = ${getPrincipalId(actor)}
    where ${sql.join(conditions, sql` and `)} order by t.id limit ${MAX_ROWS}`.execute(db);
  return table === 'assignments' ? rows : rows.map(({ experienceId: id, providerLevel }) => ({ experienceId: id, providerLevel }));
}
