import type { ListParams } from './assignments.ts';
import { prepareQueriesByParameters, prepareQuery } from './prepared.ts';
import type { ConnectionState } from './schema.ts';

/** The id of a missing provider or principal is ''. */
export const connectionAccess = prepareQuery((db, p: { id: string; providerId: string; principalId: string }) =>
  db
    .selectFrom('connections as c')
    .innerJoin('accounts as a', 'a.id', 'c.account_id')
    .innerJoin('experiences as x', 'x.id', 'c.experience_id')
    .leftJoin('experience_grants as e', (join) =>
      join.onRef('e.experience_id', '=', 'c.experience_id').on('e.provider_id', '=', p.providerId),
    )
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'c.account_id').on('g.principal_id', '=', p.principalId))
    .select(['c.id', 'a.id as accountId', 'a.name as accountName', 'x.id as experienceId', 'x.name as experienceName'])
    .select([
      'x.provider_id as providerId',
      'c.state',
      'c.updated_at as updatedAt',
      'e.level as providerLevel',
      'g.level as principalLevel',
    ])
    .where('c.id', '=', p.id),
);

export const updateConnectionState = prepareQuery((db, p: { id: string; state: ConnectionState; updatedAt: string }) =>
  db.updateTable('connections').set({ state: p.state, updated_at: p.updatedAt }).where('id', '=', p.id),
);

export const deleteConnectionRow = prepareQuery((db, p: { id: string }) => db.deleteFrom('connections').where('id', '=', p.id));

export const connectionOf = prepareQuery((db, p: { accountId: string; experienceId: string }) =>
  db.selectFrom('connections').select('id').where('account_id', '=', p.accountId).where('experience_id', '=', p.experienceId),
);

export const connectionsOfAccount = prepareQuery((db, p: { accountId: string }) =>
  db
    .selectFrom('connections as c')
    .innerJoin('experiences as e', 'e.id', 'c.experience_id')
    .select(['c.id', 'c.account_id as accountId', 'c.state', 'c.updated_at as updatedAt'])
    .select(['e.id as experienceId', 'e.name as experienceName', 'e.provider_id as providerId'])
    .where('c.account_id', '=', p.accountId)
    .orderBy('c.id'),
);

export const connectionPage = prepareQueriesByParameters(
  (db, p: ListParams & { accountId: string; experienceId: string | undefined }, order: 'asc' | 'desc') =>
    db
      .selectFrom('connections as c')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .innerJoin('experience_grants as e', (join) =>
        join.onRef('e.experience_id', '=', 'c.experience_id').on('e.provider_id', '=', p.providerId),
      )
      .select(['c.id', 'c.account_id as accountId', 'a.name as accountName', 'c.experience_id as experienceId', 'c.state'])
      .select('c.updated_at as updatedAt')
      .where('c.account_id', '=', p.accountId)
      .$if(p.experienceId !== undefined, (q) => q.where('c.experience_id', '=', p.experienceId as string))
      .$if(p.after !== undefined, (q) => q.where('c.id', order === 'desc' ? '<' : '>', p.after as string))
      .orderBy('c.id', order)
      .limit(p.limit),
);
