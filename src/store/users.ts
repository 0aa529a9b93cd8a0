import type { Executor } from './engine.ts';
import { type Prepared, prepared } from './prepared.ts';

/** The end of time for a version of a user that is the last. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** A user with the grant of a principal on its account. */
export const userById = prepared((db, p: { id: string; principalId: string }) =>
  db
    .selectFrom('users as u')
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'u.account_id').on('g.principal_id', '=', p.principalId))
    .select(['u.json', 'g.level'])
    .where('u.id', '=', p.id),
);

export const userByNativeId = prepared((db, p: { nativeId: string; style: 'base62' | 'legacy-numeric'; principalId: string }) =>
  db
    .selectFrom('native_user_ids as n')
    .innerJoin('users as u', 'u.id', 'n.user_id')
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'u.account_id').on('g.principal_id', '=', p.principalId))
    .select(['u.json', 'g.level'])
    .where('n.native_id', '=', p.nativeId)
    .where('n.style', '=', p.style),
);

export type SortColumn = 'created_at' | 'updated_at' | 'first_name' | 'last_name';
type ListParams = { accountId: string; now: number; key: string; id: string; limit: number };
type ListRow = { user_id: string; json: string; key: string };

const lists = new Map<string, Prepared<ListParams, ListRow>>();

/**
 * The users of an account as the read model shows them at an instant of kit time; tuples are page rows. Ties of the sort column are ordered by id,
 * in the same direction; absent values sort first when ascending.
 */
export function userList(shape: { column: SortColumn; descending: boolean; after: boolean }) {
  const name = JSON.stringify([shape.column, shape.descending, shape.after]);
  const direction = shape.descending ? 'desc' : 'asc';
  let list = lists.get(name);
  if (!list) {
    list = prepared((db, p: ListParams) =>
      db
        .selectFrom('user_list')
        .select(['json', `${shape.column} as key`, 'user_id'])
        .where('account_id', '=', p.accountId)
        .where('visible_from', '<=', p.now)
        .where('visible_until', '>', p.now)
        .$if(shape.after, (q) =>
          q.where((eb) => eb(eb.refTuple(shape.column, 'user_id'), shape.descending ? '<' : '>', eb.tuple(p.key, p.id))),
        )
        .orderBy(shape.column, direction)
        .orderBy('user_id', direction)
        .limit(p.limit),
    );
    lists.set(name, list);
  }
  return list;
}

const total = prepared((db, p: { accountId: string; now: number }) =>
  db
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | string | null>('delta').as('total'))
    .where('account_id', '=', p.accountId)
    .where('due_at', '<=', p.now),
);

/** How many users the read model shows in an account at an instant of kit time: from a ledger, so that large accounts cost no more. */
export async function userCount(db: Executor, accountId: string, now: number): Promise<number> {
  return Number((await total.first(db, { accountId, now }))?.total ?? 0);
}

type UserRow = {
  id: string;
  alias: string;
  accountId: string;
  firstName: string;
  lastName: string;
  createdAt: string;
  updatedAt: string;
  json: string;
};

export const insertUser = prepared((db, p: UserRow) =>
  db.insertInto('users').values({
    id: p.id,
    alias: p.alias,
    account_id: p.accountId,
    first_name: p.firstName,
    last_name: p.lastName,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
    json: p.json,
  }),
);

export const updateUserRow = prepared((db, p: Omit<UserRow, 'alias' | 'accountId' | 'createdAt'>) =>
  db
    .updateTable('users')
    .set({ first_name: p.firstName, last_name: p.lastName, updated_at: p.updatedAt, json: p.json })
    .where('id', '=', p.id),
);

export const deleteUserRow = prepared((db, p: { id: string }) => db.deleteFrom('users').where('id', '=', p.id));
export const usersOfAccount = prepared((db, p: { accountId: string }) =>
  db.selectFrom('users').select(['id', 'account_id', 'updated_at', 'created_at']).where('account_id', '=', p.accountId).orderBy('id'),
);

/** Ends the version of a user that is the last, and drops what nobody can see any more. */
export async function retireVersion(tx: Executor, p: { userId: string; from: number; now: number }): Promise<void> {
  await unseen(tx, p);
  await never(tx, p);
  await retire(tx, p);
}
const unseen = prepared((db, p: { userId: string; from: number; now: number }) =>
  db.deleteFrom('user_list').where('visible_until', '<=', p.now),
);
const never = prepared((db, p: { userId: string; from: number; now: number }) =>
  db.deleteFrom('user_list').where('user_id', '=', p.userId).where('visible_from', '>=', p.from),
);
const retire = prepared((db, p: { userId: string; from: number; now: number }) =>
  db.updateTable('user_list').set({ visible_until: p.from }).where('user_id', '=', p.userId).where('visible_until', '=', FOREVER),
);

export const insertVersion = prepared((db, p: Omit<UserRow, 'alias'> & { from: number }) =>
  db.insertInto('user_list').values({
    user_id: p.id,
    account_id: p.accountId,
    first_name: p.firstName,
    last_name: p.lastName,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
    json: p.json,
    visible_from: p.from,
    visible_until: FOREVER,
  }),
);

const settled = prepared((db, p: { accountId: string; now: number }) =>
  db.deleteFrom('user_counts').where('account_id', '=', p.accountId).where('due_at', '<=', p.now).returning('delta'),
);
const entry = prepared((db, p: { accountId: string; dueAt: number; delta: number }) =>
  db.insertInto('user_counts').values({ account_id: p.accountId, due_at: p.dueAt, delta: p.delta }),
);

/** Adds to the ledger of an account, and folds what is due into one entry so that it stays short. */
export async function countUsers(tx: Executor, p: { accountId: string; dueAt: number; delta: number; now: number }): Promise<void> {
  const sum = (await settled(tx, p)).reduce((all, { delta }) => all + delta, 0);
  if (sum !== 0) await entry(tx, { accountId: p.accountId, dueAt: 0, delta: sum });
  await entry(tx, p);
}
