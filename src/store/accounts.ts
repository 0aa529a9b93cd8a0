import { prepared } from './prepared.ts';

export const deleteAccountRow = prepared((db, p: { id: string }) => db.deleteFrom('accounts').where('id', '=', p.id));
export const deleteNumbersOfAccount = prepared((db, p: { accountId: string }) =>
  db.deleteFrom('telephone_numbers').where('account_id', '=', p.accountId),
);
export const deleteNumberRow = prepared((db, p: { number: string }) => db.deleteFrom('telephone_numbers').where('number', '=', p.number));
