import { type Prepared, prepared } from './prepared.ts';
import type { ConnectionState } from './schema.ts';

type ConnectionRow = { id: string; alias: string; accountId: string; experienceId: string; state: ConnectionState; updatedAt: string };

export const insertConnection = prepared((db, p: ConnectionRow) =>
  db.insertInto('connections').values({
    id: p.id,
    alias: p.alias,
    account_id: p.accountId,
    experience_id: p.experienceId,
    state: p.state,
    updated_at: p.updatedAt,
  }),
);

/** A connection with its account's name, its Experience, and the grants of a provider and a principal ('' for none). */
export const connectionAccess = prepared((db, p: { id: string; providerId: string; principalId: string }) =>
  db
    .selectFrom('connections as c')
    .innerJoin('accounts as a', 'a.id', 'c.account_id')
    .innerJoin('experiences as x', 'x.id', 'c.experience_id')
    .leftJoin('experience_grants as e', (join) =>
      join.onRef('e.experience_id', '=', 'c.experience_id').on('e.provider_id', '=', p.providerId),
    )
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'c.account_id').on('g.principal_id', '=', p.principalId))
    .select(['c.id', 'c.account_id', 'a.name as account_name', 'c.experience_id', 'c.state', 'c.updated_at'])
    .select(['x.name as experience_name', 'x.provider_id', 'e.level as experience_level', 'g.level as account_level'])
    .where('c.id', '=', p.id),
);

export const updateConnectionState = prepared((db, p: { id: string; state: ConnectionState; updatedAt: string }) =>
  db.updateTable('connections').set({ state: p.state, updated_at: p.updatedAt }).where('id', '=', p.id),
);

export const deleteConnectionRow = prepared((db, p: { id: string }) => db.deleteFrom('connections').where('id', '=', p.id));

export const connectionOf = prepared((db, p: { accountId: string; experienceId: string }) =>
  db.selectFrom('connections').select('id').where('account_id', '=', p.accountId).where('experience_id', '=', p.experienceId),
);

/** The connections of an account with what their events say, in order of creation. */
export const connectionsOfAccount = prepared((db, p: { accountId: string }) =>
  db
    .selectFrom('connections as c')
    .innerJoin('experiences as e', 'e.id', 'c.experience_id')
    .select(['c.id', 'c.account_id', 'c.experience_id', 'c.state', 'c.updated_at', 'e.name', 'e.provider_id'])
    .where('c.account_id', '=', p.accountId)
    .orderBy('c.id'),
);

type ListParams = { accountId: string; experienceId: string; providerId: string; after: string; limit: number };
type ListRow = { id: string; account_id: string; account_name: string; experience_id: string; state: ConnectionState; updated_at: string };

const lists = new Map<string, Prepared<ListParams, ListRow>>();

/** The query of one shape of list, over the connections of an account that a provider sees. Compiled once a shape. */
export function connectionList(shape: { experience: boolean; descending: boolean; after: boolean }) {
  const key = JSON.stringify([shape.experience, shape.descending, shape.after]);
  let list = lists.get(key);
  if (!list) {
    list = prepared((db, p: ListParams) =>
      db
        .selectFrom('connections as c')
        .innerJoin('accounts as a', 'a.id', 'c.account_id')
        .innerJoin('experience_grants as e', (join) =>
          join.onRef('e.experience_id', '=', 'c.experience_id').on('e.provider_id', '=', p.providerId),
        )
        .select(['c.id', 'c.account_id', 'a.name as account_name', 'c.experience_id', 'c.state', 'c.updated_at'])
        .where('c.account_id', '=', p.accountId)
        .$if(shape.experience, (q) => q.where('c.experience_id', '=', p.experienceId))
        .$if(shape.after, (q) => q.where('c.id', shape.descending ? '<' : '>', p.after))
        .orderBy('c.id', shape.descending ? 'desc' : 'asc')
        .limit(p.limit),
    );
    lists.set(key, list);
  }
  return list;
}
