import type { AssignmentFilters } from './assignments.ts';
import type { Executor } from './engine.ts';

/** Whose grants are asked for; '' for nobody's. */
interface Sides {
  readonly providerId: string;
  readonly principalId: string;
}

/** More than these an explanation does not need. */
const MOST = 100;

/** What a list of assignments would hold if everything were in sight, with the grants that decide on it. Only for lists that came out empty. */
export function assignmentsInSightOrNot(db: Executor, filters: AssignmentFilters, { providerId, principalId }: Sides) {
  const { accountId, experienceId, targetType, targetValue } = filters;
  return db
    .selectFrom('assignments as a')
    .leftJoin('experience_grants as e', (join) =>
      join.onRef('e.experience_id', '=', 'a.experience_id').on('e.provider_id', '=', providerId),
    )
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'a.account_id').on('g.principal_id', '=', principalId))
    .select(['a.experience_id', 'a.account_id', 'e.level as experience_level', 'g.level as account_level'])
    .$if(accountId !== undefined, (q) => q.where('a.account_id', '=', accountId ?? ''))
    .$if(experienceId !== undefined, (q) => q.where('a.experience_id', '=', experienceId ?? ''))
    .$if(targetType !== undefined, (q) => q.where('a.target_type', '=', targetType ?? 'USER'))
    .$if(targetValue !== undefined, (q) => q.where('a.target_value', '=', targetValue ?? ''))
    .orderBy('a.id')
    .limit(MOST)
    .execute();
}

/** The connections of an account, in sight or not, with the grants of a provider. Only for lists that came out empty. */
export function connectionsInSightOrNot(db: Executor, accountId: string, providerId: string) {
  return db
    .selectFrom('connections as c')
    .leftJoin('experience_grants as e', (join) =>
      join.onRef('e.experience_id', '=', 'c.experience_id').on('e.provider_id', '=', providerId),
    )
    .select(['c.experience_id', 'e.level as experience_level'])
    .where('c.account_id', '=', accountId)
    .orderBy('c.id')
    .limit(MOST)
    .execute();
}

/** The numbers that keep a connection from being deleted: of one account, or of any on the Experience. */
export function assignedNumbers(db: Executor, experienceId: string, accountId: string | undefined) {
  return db
    .selectFrom('assignments')
    .select(['id', 'target_value'])
    .where('experience_id', '=', experienceId)
    .where('target_type', '=', 'PHONE_NUMBER')
    .$if(accountId !== undefined, (q) => q.where('account_id', '=', accountId ?? ''))
    .orderBy('id')
    .limit(MOST)
    .execute();
}

/** What is assigned to a target, and whether it is an AGENT's number. */
export function assignmentsOnTarget(db: Executor, targetType: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER', targetValue: string) {
  return db
    .selectFrom('assignments')
    .select(['id', 'experience_id', 'agent_number'])
    .where('target_type', '=', targetType)
    .where('target_value', '=', targetValue)
    .orderBy('id')
    .limit(MOST)
    .execute();
}

/** How many users an account has, whatever its list shows. */
export async function countUsersOf(db: Executor, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Whether a user has this id in an infrastructure whose ids are not supported: they can look like those that are. */
export function userByUnsupportedId(db: Executor, nativeId: string) {
  return db
    .selectFrom('native_user_ids')
    .select('user_id')
    .where('native_id', '=', nativeId)
    .where('style', '=', 'unsupported')
    .executeTakeFirst();
}
