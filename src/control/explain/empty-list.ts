import type { AccessLevels, Evidence, RequestSender } from '../../contract/evidence.ts';
import {
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
import { listAssignmentsWithGrants } from '../../store/assignments.ts';
import { listConnectionsWithGrants } from '../../store/connections.ts';
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
  const { accountId = '', experienceId } = evidence;
  const all = await listConnectionsWithGrants(store.db, accountId, getProviderId(actor));
  const matching = all.filter((row) => experienceId === undefined || row.experienceId === experienceId);
  const hidden = matching.filter((row) => getLevel(actor, row) === NONE).slice(0, MAX_HIDDEN_ENTITIES);
  return {
    ...evidence,
    total: all.length,
    matching: matching.length,
    hidden: hidden.map((row) => describeLevels(actor, row)),
  };
}

async function explainNoAssignments({ store }: ServiceContext, actor: Actor, evidence: EmptyList): Promise<CompleteEvidence> {
  const { accountId, experienceId, targetType, targetValue } = evidence;
  const caller = { providerId: getProviderId(actor), principalId: getPrincipalId(actor) };
  const matching = await listAssignmentsWithGrants(store.db, { accountId, experienceId, targetType, targetValue }, caller);
  if (matching.length === 0 && targetType !== undefined && targetValue !== undefined) {
    const target = { targetType, targetValue };
    if (!(await findTarget(store.db, actor, target))) return createUnknownEntityEvidence(getTargetNoun(target), targetValue);
  }
  const all = accountId === undefined ? matching : await listAssignmentsWithGrants(store.db, { accountId }, caller);
  const hidden = matching.filter((row) => getLevel(actor, row) === NONE).slice(0, MAX_HIDDEN_ENTITIES);
  return { ...evidence, total: all.length, matching: matching.length, hidden: hidden.map((row) => describeLevels(actor, row)) };
}
