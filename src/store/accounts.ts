import { type Executor, getEngine } from './engine.ts';
import { prepareQuery } from './prepared.ts';

export const accountAccess = prepareQuery(
  (db, p: { id: string; principalId: string }) =>
    db
      .selectFrom('accounts as a')
      .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'a.id').on('g.principal_id', '=', p.principalId))
      .select(['a.id as accountId', 'a.name as accountName', 'g.level as principalLevel'])
      .where('a.id', '=', p.id),
  { remembers: true },
);

export const numberAccess = prepareQuery(
  (db, p: { number: string; principalId: string }) =>
    db
      .selectFrom('telephone_numbers as t')
      .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 't.account_id').on('g.principal_id', '=', p.principalId))
      .select(['t.account_id as accountId', 'g.level as principalLevel'])
      .where('t.number', '=', p.number),
  { remembers: true },
);

export const deleteAccountRow = prepareQuery((db, p: { id: string }) => db.deleteFrom('accounts').where('id', '=', p.id));
export const deleteNumbersOfAccount = prepareQuery((db, p: { accountId: string }) =>
  db.deleteFrom('telephone_numbers').where('account_id', '=', p.accountId),
);
export const deleteNumberRow = prepareQuery((db, p: { number: string }) =>
  db.deleteFrom('telephone_numbers').where('number', '=', p.number),
);

const lockAccountRow = prepareQuery((db, p: { id: string }) => db.selectFrom('accounts').select('id').where('id', '=', p.id).forUpdate());

/** SQLite needs no locks, because it has only one writer. */
export const needsLocks = (tx: Executor): boolean => getEngine(tx) === 'postgres';

/**
 * Locks an account until the transaction ends. Rows that the caller has read before may be outdated. Sends its statement before it first
 * waits, so that a caller can send another one with it.
 */
export async function lockAccount(tx: Executor, accountId: string): Promise<void> {
  if (needsLocks(tx)) await lockAccountRow(tx, { id: accountId });
}
