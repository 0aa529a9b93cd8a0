import type { Executor } from './engine.ts';
import { prepareQueriesByParameters, prepareQuery } from './prepared.ts';
import type { Tables, TargetType } from './schema.ts';

interface Assignment {
  readonly id: string;
  readonly experienceId: string;
  readonly accountId: string;
  readonly targetType: TargetType;
  readonly targetValue: string;
  readonly updatedAt: string;
}

export function toAssignmentRow(assignment: Assignment, alias: string, isAgent: boolean): Tables['assignments'] {
  const { id, experienceId, accountId, targetType, targetValue, updatedAt } = assignment;
  return {
    id,
    alias,
    experience_id: experienceId,
    account_id: accountId,
    target_type: targetType,
    target_value: targetValue,
    agent_number: isAgent && targetType === 'PHONE_NUMBER' ? targetValue : null,
    updated_at: updatedAt,
    // Responses contain this text unchanged, so keep the order of members as in the API.
    json: JSON.stringify({ id, experienceId, accountId, targetType, targetValue, updatedAt }),
  };
}

/** The id of a missing provider or principal is ''. */
export const assignmentAccess = prepareQuery((db, p: { id: string; providerId: string; principalId: string }) =>
  db
    .selectFrom('assignments as a')
    .leftJoin('experience_grants as e', (join) =>
      join.onRef('e.experience_id', '=', 'a.experience_id').on('e.provider_id', '=', p.providerId),
    )
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'a.account_id').on('g.principal_id', '=', p.principalId))
    .select([
      'a.json',
      'a.experience_id as experienceId',
      'e.level as providerLevel',
      'a.account_id as accountId',
      'g.level as principalLevel',
    ])
    .where('a.id', '=', p.id),
);

export const assignmentsOfTarget = prepareQuery(
  (db, p: { targetType: TargetType; targetValue: string }) =>
    db
      .selectFrom('assignments')
      .select(['id as assignmentId', 'experience_id as experienceId', 'agent_number as agentNumber'])
      .where('target_type', '=', p.targetType)
      .where('target_value', '=', p.targetValue)
      .orderBy('id'),
  { remembers: true },
);

export const deleteAssignmentRow = prepareQuery((db, p: { id: string }) => db.deleteFrom('assignments').where('id', '=', p.id));

export const assignmentById = prepareQuery((db, p: { id: string }) => selectWithExperience(db).where('a.id', '=', p.id));
export const assignmentsOfAccount = prepareQuery((db, p: { accountId: string }) =>
  selectWithExperience(db).where('a.account_id', '=', p.accountId),
);
export const assignmentsToTarget = prepareQuery((db, p: { targetType: TargetType; targetValue: string }) =>
  selectWithExperience(db).where('a.target_type', '=', p.targetType).where('a.target_value', '=', p.targetValue),
);
export const assignmentsOfConnection = prepareQuery((db, p: { accountId: string; experienceId: string }) =>
  selectWithExperience(db).where('a.account_id', '=', p.accountId).where('a.experience_id', '=', p.experienceId),
);

export type AssignmentOfExperience = Awaited<ReturnType<typeof assignmentsOfAccount>>[number];

function selectWithExperience(db: Executor) {
  return db
    .selectFrom('assignments as a')
    .innerJoin('experiences as e', 'e.id', 'a.experience_id')
    .select(['a.id', 'a.account_id as accountId', 'a.target_type as targetType', 'a.target_value as targetValue'])
    .select(['a.updated_at as updatedAt', 'e.id as experienceId', 'e.name as experienceName', 'e.provider_id as providerId'])
    .orderBy('a.id');
}

const MAX_REPORTED_NUMBERS = 100;

export function listAssignedNumbers(db: Executor, experienceId: string, accountId?: string) {
  return db
    .selectFrom('assignments')
    .select(['id as assignmentId', 'target_value as number'])
    .where('experience_id', '=', experienceId)
    .where('target_type', '=', 'PHONE_NUMBER')
    .$if(accountId !== undefined, (q) => q.where('account_id', '=', accountId as string))
    .orderBy('id')
    .limit(MAX_REPORTED_NUMBERS)
    .execute();
}

export interface AssignmentFilters {
  readonly accountId?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly targetType?: TargetType | undefined;
  readonly targetValue?: string | undefined;
}

/** `after` is the id of the previous page's last entity. */
export interface ListParams {
  readonly providerId: string;
  readonly after: string | undefined;
  readonly limit: number;
}

/** The id column is omitted, because that saves a tenth of the time. */
export const assignmentPage = prepareQueriesByParameters(
  (db, p: AssignmentFilters & ListParams & { principalId: string | undefined }, order: 'asc' | 'desc') =>
    db
      .selectFrom('assignments as a')
      .innerJoin('experience_grants as e', (join) =>
        join.onRef('e.experience_id', '=', 'a.experience_id').on('e.provider_id', '=', p.providerId),
      )
      .select('a.json')
      .$if(p.principalId !== undefined, (q) =>
        q.innerJoin('account_grants as g', (join) =>
          join.onRef('g.account_id', '=', 'a.account_id').on('g.principal_id', '=', p.principalId as string),
        ),
      )
      .$if(p.accountId !== undefined, (q) => q.where('a.account_id', '=', p.accountId as string))
      .$if(p.experienceId !== undefined, (q) => q.where('a.experience_id', '=', p.experienceId as string))
      .$if(p.targetType !== undefined, (q) => q.where('a.target_type', '=', p.targetType as TargetType))
      .$if(p.targetValue !== undefined, (q) => q.where('a.target_value', '=', p.targetValue as string))
      .$if(p.after !== undefined, (q) => q.where('a.id', order === 'desc' ? '<' : '>', p.after as string))
      .orderBy('a.id', order)
      .limit(p.limit),
);
