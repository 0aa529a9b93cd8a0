import type { Asker, Evidence, Levels } from '../../contract/evidence.ts';
import { type Actor, accountLevel, effectiveLevel, experienceLevel, NONE } from '../../domain/access.ts';
import type { ServiceContext } from '../../service/context.ts';
import { levelsOf, tooLow, unknown } from '../../service/judged.ts';
import { findTarget, principalOf, providerOf } from '../../service/target.ts';
import { accountAccess } from '../../store/access.ts';
import { assignmentsInSightOrNot, connectionsInSightOrNot, countUsersOf } from '../../store/unseen.ts';

type EmptyList = Extract<Evidence, { cause: 'empty list' }>;

/** What a list has nothing of, counted in the present state: the request itself only recorded its filters. */
type ExplainedList = EmptyList & {
  /** Entities of the account or the target, whatever the filters. */
  readonly total: number;
  /** Those that match the filters, visible or not. */
  readonly matching: number;
  /** The levels on the first few of those that the caller may not see. */
  readonly hidden: readonly Levels[];
};
type NotYetListed = { readonly cause: 'not shown yet'; readonly accountId: string; readonly total: number; readonly lagMs: number };

/** The state behind a response, complete enough to be put into words. */
export type Situation = Exclude<Evidence, EmptyList> | ExplainedList | NotYetListed;

const MAX_HIDDEN = 5;
const TARGET_NAMES = { ACCOUNT: 'account', PHONE_NUMBER: 'telephone number', USER: 'user' } as const;

export async function whyEmpty(context: ServiceContext, asker: Asker | undefined, evidence: EmptyList): Promise<Situation> {
  const { accountId } = evidence;
  const caller = { clientId: '', providerId: '', principalId: undefined, ...asker };
  const actor: Actor = { kind: 'provider', caller: { ...caller, providerId: caller.providerId ?? '' } };
  if (accountId !== undefined) {
    const account = await accountAccess.first(context.store.db, { id: accountId, principalId: principalOf(actor) });
    if (!account) return unknown('account', accountId);
    if (accountLevel(actor, account.level) === NONE) return tooLow(actor, 'read', { account: { id: accountId, level: account.level } });
  }
  switch (evidence.of) {
    case 'users':
      return noUsers(context, evidence);
    case 'connections':
      return noConnections(context, actor, evidence);
    case 'assignments':
      return noAssignments(context, actor, evidence);
  }
}

async function noUsers({ store, decisions }: ServiceContext, evidence: EmptyList): Promise<Situation> {
  const { accountId = '' } = evidence;
  const total = await countUsersOf(store.db, accountId);
  if (total > 0) return { cause: 'not shown yet', accountId, total, lagMs: decisions['users.list.read-model-lag'] };
  return { ...evidence, total, matching: 0, hidden: [] };
}

async function noConnections({ store }: ServiceContext, actor: Actor, evidence: EmptyList): Promise<Situation> {
  const { accountId = '', experienceId } = evidence;
  const all = await connectionsInSightOrNot(store.db, accountId, providerOf(actor));
  const matching = all.filter((row) => experienceId === undefined || row.experience_id === experienceId);
  const hidden = matching.filter((row) => experienceLevel(actor, row.experience_level) === NONE).slice(0, MAX_HIDDEN);
  return {
    ...evidence,
    total: all.length,
    matching: matching.length,
    hidden: hidden.map((row) => levelsOf(actor, { experience: { id: row.experience_id, level: row.experience_level } })),
  };
}

async function noAssignments({ store }: ServiceContext, actor: Actor, evidence: EmptyList): Promise<Situation> {
  const { accountId, experienceId, targetType, targetValue } = evidence;
  const sides = { providerId: providerOf(actor), principalId: principalOf(actor) };
  const matching = await assignmentsInSightOrNot(store.db, { accountId, experienceId, targetType, targetValue }, sides);
  if (matching.length === 0 && targetType !== undefined && targetValue !== undefined) {
    if (!(await findTarget(store.db, actor, targetType, targetValue))) return unknown(TARGET_NAMES[targetType], targetValue);
  }
  const all = accountId === undefined ? matching : await assignmentsInSightOrNot(store.db, { accountId }, sides);
  const hidden = matching
    .map((row) => ({
      experience: { id: row.experience_id, level: row.experience_level },
      account: { id: row.account_id, level: row.account_level },
    }))
    .filter(({ experience, account }) => effectiveLevel(actor, { experience: experience.level, account: account.level }) === NONE)
    .slice(0, MAX_HIDDEN);
  return { ...evidence, total: all.length, matching: matching.length, hidden: hidden.map((sides) => levelsOf(actor, sides)) };
}
