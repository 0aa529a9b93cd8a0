import type { Executor } from './engine.ts';
import { type Prepared, prepared } from './prepared.ts';
import type { TargetType } from './schema.ts';

type AssignmentRow = {
  id: string;
  alias: string;
  experienceId: string;
  accountId: string;
  targetType: TargetType;
  targetValue: string;
  agentNumber: string | null;
  updatedAt: string;
  json: string;
};

export const insertAssignment = prepared((db, p: AssignmentRow) =>
  db.insertInto('assignments').values({
    id: p.id,
    alias: p.alias,
    experience_id: p.experienceId,
    account_id: p.accountId,
    target_type: p.targetType,
    target_value: p.targetValue,
    agent_number: p.agentNumber,
    updated_at: p.updatedAt,
    json: p.json,
  }),
);

/** Who a target is assigned to: enough to judge a duplicate and an AGENT conflict. */
export const assignmentsOfTarget = prepared((db, p: { targetType: TargetType; targetValue: string }) =>
  db
    .selectFrom('assignments')
    .select(['experience_id', 'agent_number'])
    .where('target_type', '=', p.targetType)
    .where('target_value', '=', p.targetValue),
);

/** An assignment with the grants of a provider and a principal ('' for none). */
export const assignmentAccess = prepared((db, p: { id: string; providerId: string; principalId: string }) =>
  db
    .selectFrom('assignments as a')
    .leftJoin('experience_grants as e', (join) =>
      join.onRef('e.experience_id', '=', 'a.experience_id').on('e.provider_id', '=', p.providerId),
    )
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'a.account_id').on('g.principal_id', '=', p.principalId))
    .select(['a.json', 'a.account_id', 'a.experience_id', 'e.level as experience_level', 'g.level as account_level'])
    .where('a.id', '=', p.id),
);

export const deleteAssignmentRow = prepared((db, p: { id: string }) => db.deleteFrom('assignments').where('id', '=', p.id));

/** Assignments to be removed, by id, account, target or connection, with the name and provider of their Experience; in order of creation. */
export const assignmentToRemove = prepared((db, p: { id: string }) => doomed(db).where('a.id', '=', p.id));
export const assignmentsOfAccount = prepared((db, p: { accountId: string }) => doomed(db).where('a.account_id', '=', p.accountId));
export const assignmentsToTarget = prepared((db, p: { targetType: TargetType; targetValue: string }) =>
  doomed(db).where('a.target_type', '=', p.targetType).where('a.target_value', '=', p.targetValue),
);
export const assignmentsOfConnection = prepared((db, p: { accountId: string; experienceId: string }) =>
  doomed(db).where('a.account_id', '=', p.accountId).where('a.experience_id', '=', p.experienceId),
);

function doomed(db: Executor) {
  return db
    .selectFrom('assignments as a')
    .innerJoin('experiences as e', 'e.id', 'a.experience_id')
    .select(['a.id', 'a.account_id', 'a.experience_id', 'a.target_type', 'a.target_value', 'a.updated_at', 'e.name', 'e.provider_id'])
    .orderBy('a.id');
}

/** Whether numbers are assigned to an Experience: of one account, or of any. */
export const numbersOfAccount = prepared((db, p: { accountId: string; experienceId: string }) =>
  db
    .selectFrom('assignments')
    .select('target_value')
    .where('account_id', '=', p.accountId)
    .where('experience_id', '=', p.experienceId)
    .where('target_type', '=', 'PHONE_NUMBER')
    .limit(1),
);
export const numbersOfExperience = prepared((db, p: { experienceId: string }) =>
  db
    .selectFrom('assignments')
    .select('target_value')
    .where('experience_id', '=', p.experienceId)
    .where('target_type', '=', 'PHONE_NUMBER')
    .limit(1),
);

/** The filters of a list; those that are absent do not apply. */
export interface AssignmentFilters {
  readonly accountId?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly targetType?: TargetType | undefined;
  readonly targetValue?: string | undefined;
}

type ListParams = {
  providerId: string;
  principalId: string;
  accountId: string;
  experienceId: string;
  targetType: TargetType;
  targetValue: string;
  after: string;
  limit: number;
};

const lists = new Map<string, Prepared<ListParams, { id: string; json: string }>>();

/**
 * The query of one shape of list: which filters apply, whose principal, which order, and whether it starts after an id. Its tuples are page rows.
 * Compiled once a shape.
 */
export function assignmentList(shape: { filters: AssignmentFilters; principal: boolean; descending: boolean; after: boolean }) {
  const has = { ...presence(shape.filters), principal: shape.principal, descending: shape.descending, after: shape.after };
  const key = JSON.stringify(has);
  let list = lists.get(key);
  if (!list) {
    list = prepared((db, p: ListParams) =>
      db
        .selectFrom('assignments as a')
        .innerJoin('experience_grants as e', (join) =>
          join.onRef('e.experience_id', '=', 'a.experience_id').on('e.provider_id', '=', p.providerId),
        )
        .select(['a.json', 'a.id'])
        .$if(has.principal, (q) =>
          q.innerJoin('account_grants as g', (join) =>
            join.onRef('g.account_id', '=', 'a.account_id').on('g.principal_id', '=', p.principalId),
          ),
        )
        .$if(has.accountId, (q) => q.where('a.account_id', '=', p.accountId))
        .$if(has.experienceId, (q) => q.where('a.experience_id', '=', p.experienceId))
        .$if(has.targetType, (q) => q.where('a.target_type', '=', p.targetType))
        .$if(has.targetValue, (q) => q.where('a.target_value', '=', p.targetValue))
        .$if(has.after, (q) => q.where('a.id', has.descending ? '<' : '>', p.after))
        .orderBy('a.id', has.descending ? 'desc' : 'asc')
        .limit(p.limit),
    );
    lists.set(key, list);
  }
  return list;
}

function presence(filters: AssignmentFilters) {
  return {
    accountId: filters.accountId !== undefined,
    experienceId: filters.experienceId !== undefined,
    targetType: filters.targetType !== undefined,
    targetValue: filters.targetValue !== undefined,
  };
}
