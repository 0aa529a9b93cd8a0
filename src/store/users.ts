import { sql } from 'kysely';
import type { Executor } from './engine.ts';
import { insertRow, prepareQueriesByParameters, prepareQuery } from './prepared.ts';
import type { Tables } from './schema.ts';

const FOREVER = Number.MAX_SAFE_INTEGER;

interface User {
  readonly id: string;
  readonly accountId: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** A missing name or `updatedAt` is stored as '', so that users without it sort first. */
export function toUserRow(user: User, alias: string): Tables['users'] {
  const { id, accountId, firstName, lastName, createdAt, updatedAt } = user;
  return {
    id,
    alias,
    account_id: accountId,
    first_name: firstName ?? '',
    last_name: lastName ?? '',
    created_at: createdAt,
    updated_at: updatedAt ?? '',
    json: JSON.stringify({ id, accountId, firstName, lastName, createdAt, updatedAt }),
  };
}

/** @param from the kit time at which the row becomes visible */
export function toVersionRow({ id, alias: _, ...columns }: Tables['users'], from: number): Tables['user_list'] {
  return { ...columns, user_id: id, visible_from: from, visible_until: FOREVER };
}

/** Inserts the version of each user that is visible from the beginning. */
export const insertFirstVersions = sql`
  insert into user_list (user_id, account_id, first_name, last_name, created_at, updated_at, json, visible_from, visible_until)
  select id, account_id, first_name, last_name, created_at, updated_at, json, 0, ${sql.lit(FOREVER)} from users`;

export const userAccess = prepareQuery(
  (db, p: { id: string; principalId: string }) =>
    db
      .selectFrom('users as u')
      .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'u.account_id').on('g.principal_id', '=', p.principalId))
      .select(['u.json', 'u.account_id as accountId', 'g.level as principalLevel'])
      .where('u.id', '=', p.id),
  { remembers: true },
);

export const userByNativeId = prepareQuery((db, p: { nativeId: string; style: 'base62' | 'legacy-numeric'; principalId: string }) =>
  db
    .selectFrom('native_user_ids as n')
    .innerJoin('users as u', 'u.id', 'n.user_id')
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'u.account_id').on('g.principal_id', '=', p.principalId))
    .select(['u.json', 'u.account_id as accountId', 'g.level as principalLevel'])
    .where('n.native_id', '=', p.nativeId)
    .where('n.style', '=', p.style),
);

export async function hasUnsupportedId(db: Executor, nativeId: string): Promise<boolean> {
  const query = db.selectFrom('native_user_ids').select('user_id').where('native_id', '=', nativeId).where('style', '=', 'unsupported');
  return (await query.executeTakeFirst()) !== undefined;
}

type SortColumn = 'created_at' | 'updated_at' | 'first_name' | 'last_name';

/** Lists a page of an account's users at kit time `now`, after the user with the sort value `key` and the id `id`. */
export const userPage = prepareQueriesByParameters(
  (
    db,
    p: { accountId: string; now: number; key: string | undefined; id: string | undefined; limit: number },
    shape: `${SortColumn} ${'asc' | 'desc'}`,
  ) => {
    const [column, order] = shape.split(' ') as [SortColumn, 'asc' | 'desc'];
    return db
      .selectFrom('user_list')
      .select(['json', `${column} as key`, 'user_id'])
      .where('account_id', '=', p.accountId)
      .where('visible_from', '<=', p.now)
      .where('visible_until', '>', p.now)
      .$if(p.id !== undefined, (q) =>
        q.where((eb) => eb(eb.refTuple(column, 'user_id'), order === 'desc' ? '<' : '>', eb.tuple(p.key as string, p.id as string))),
      )
      .orderBy(column, order)
      .orderBy('user_id', order)
      .limit(p.limit);
  },
);

const shownUsers = prepareQuery((db, p: { accountId: string; now: number }) =>
  db
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | string | null>('delta').as('total'))
    .where('account_id', '=', p.accountId)
    .where('due_at', '<=', p.now),
);

export async function countShownUsers(db: Executor, accountId: string, now: number): Promise<number> {
  return Number((await shownUsers.first(db, { accountId, now }))?.total ?? 0);
}

/** Counts an account's users, even new ones that the list does not show yet. */
export async function countUsers(db: Executor, accountId: string): Promise<number> {
  const query = db.selectFrom('users').select((eb) => eb.fn.countAll<number | string>().as('count'));
  return Number((await query.where('account_id', '=', accountId).executeTakeFirst())?.count ?? 0);
}

export const updateUserRow = prepareQuery((db, p: Tables['users']) =>
  db
    .updateTable('users')
    .set({ first_name: p.first_name, last_name: p.last_name, updated_at: p.updated_at, json: p.json })
    .where('id', '=', p.id),
);

export const deleteUserRow = prepareQuery((db, p: { id: string }) => db.deleteFrom('users').where('id', '=', p.id));
export const usersOfAccount = prepareQuery((db, p: { accountId: string }) =>
  db
    .selectFrom('users')
    .select(['id', 'account_id as accountId', 'updated_at as updatedAt', 'created_at as createdAt'])
    .where('account_id', '=', p.accountId)
    .orderBy('id'),
);

const deleteOutdatedVersions = prepareQuery((db, p: { now: number }) => db.deleteFrom('user_list').where('visible_until', '<=', p.now));
const deleteNeverShownVersions = prepareQuery((db, p: { userId: string; from: number }) =>
  db.deleteFrom('user_list').where('user_id', '=', p.userId).where('visible_from', '>=', p.from),
);
const endLatestVersion = prepareQuery((db, p: { userId: string; from: number }) =>
  db.updateTable('user_list').set({ visible_until: p.from }).where('user_id', '=', p.userId).where('visible_until', '=', FOREVER),
);

export async function endVersion(tx: Executor, { userId, from, now }: { userId: string; from: number; now: number }): Promise<void> {
  await deleteOutdatedVersions(tx, { now });
  await deleteNeverShownVersions(tx, { userId, from });
  await endLatestVersion(tx, { userId, from });
}

const removeDueEntries = prepareQuery((db, p: { accountId: string; now: number }) =>
  db.deleteFrom('user_counts').where('account_id', '=', p.accountId).where('due_at', '<=', p.now).returning('delta'),
);

export async function addToCount(
  tx: Executor,
  { accountId, dueAt, delta, now }: { accountId: string; dueAt: number; delta: number; now: number },
): Promise<void> {
  const sum = (await removeDueEntries(tx, { accountId, now })).reduce((total, entry) => total + entry.delta, 0);
  if (sum !== 0) await insertRow(tx, 'user_counts', { account_id: accountId, due_at: 0, delta: sum });
  await insertRow(tx, 'user_counts', { account_id: accountId, due_at: dueAt, delta });
}
