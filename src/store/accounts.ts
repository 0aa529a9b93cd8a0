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

/**
 * On PostgreSQL, locks an account until the transaction ends. SQLite needs no lock, because it has only one writer.
 * @returns whether rows that the caller read before the lock may be outdated
 */
export async function lockAccount(tx: Executor, accountId: string): Promise<boolean> {
  if (getEngine(tx) !== 'postgres') return false;
  await lockAccountRow(tx, { id: accountId });
  return true;
}
