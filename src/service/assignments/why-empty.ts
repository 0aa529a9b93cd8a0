import type { Evidence } from '../../contract/evidence.ts';
import { type Actor, accountLevel, effectiveLevel, NONE } from '../../domain/access.ts';
import { accountAccess } from '../../store/access.ts';
import { assignmentsInSightOrNot } from '../../store/unseen.ts';
import type { ServiceContext } from '../context.ts';
import { levelsOf, tooLow, unknown } from '../judged.ts';
import { findTarget, principalOf, providerOf } from '../target.ts';
import type { AssignmentsQuery } from './list.ts';

/** More of what is out of sight says nothing new. */
const SHOWN = 5;

/** Why a list of assignments holds nothing. */
export async function whyNoAssignments({ store }: ServiceContext, actor: Actor, query: AssignmentsQuery): Promise<Evidence> {
  const { accountId, experienceId, targetType, targetValue, cursor } = query;
  const principalId = principalOf(actor);
  if (accountId !== undefined) {
    const account = await accountAccess.first(store.db, { id: accountId, principalId });
    if (!account) return unknown('account', accountId);
    if (accountLevel(actor, account.level) === NONE) return tooLow(actor, 'read', { account: { id: accountId, level: account.level } });
  }
  if (cursor !== undefined) return { cause: 'cursor', problem: 'at the end' };
  const sides = { providerId: providerOf(actor), principalId };
  const matching = await assignmentsInSightOrNot(store.db, { accountId, experienceId, targetType, targetValue }, sides);
  const target = targetType !== undefined && targetValue !== undefined ? { targetType, targetValue } : undefined;
  if (matching.length === 0 && target && !(await findTarget(store.db, actor, target.targetType, target.targetValue))) {
    return unknown(NAMES[target.targetType], target.targetValue);
  }
  const filtered = accountId !== undefined && (experienceId ?? targetType) !== undefined;
  const all = filtered ? await assignmentsInSightOrNot(store.db, { accountId }, sides) : matching;
  const hidden = matching
    .filter((row) => effectiveLevel(actor, { experience: row.experience_level, account: row.account_level }) === NONE)
    .slice(0, SHOWN)
    .map((row) =>
      levelsOf(actor, {
        experience: { id: row.experience_id, level: row.experience_level },
        account: { id: row.account_id, level: row.account_level },
      }),
    );
  return {
    cause: 'empty list',
    of: 'assignments',
    ...(accountId !== undefined && { accountId }),
    total: all.length,
    matching: matching.length,
    hidden,
  };
}

const NAMES = { ACCOUNT: 'account', PHONE_NUMBER: 'telephone number', USER: 'user' } as const;
