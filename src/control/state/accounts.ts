import { deleteAccount, deleteNumber } from '../../service/accounts/remove.ts';
import { insertRows, type RowWrites } from './row-writes.ts';

export const accounts: RowWrites<'accounts'> = {
  create: (scope, { rows }) => insertRows(scope, rows, 'accounts'),
  /** Connections show the new name at once; no event is defined for it. */
  async update({ tx }, { id, entity }) {
    await tx.updateTable('accounts').set({ name: entity.name }).where('id', '=', id).execute();
  },
  remove: ({ tx, context }, { id }) => deleteAccount(tx, context, id),
};

/** There is nothing to change of a number: it is its own name, and its account is fixed. */
export const telephoneNumbers: RowWrites<'telephoneNumbers'> = {
  create: (scope, { rows }) => insertRows(scope, rows, 'telephone_numbers'),
  update: async () => {},
  remove: ({ tx, context }, { id }) => deleteNumber(tx, context, id),
};
