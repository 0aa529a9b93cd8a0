import { insertRows, type RowWrites } from './row-writes.ts';

/** The people who authorize tokens, and what they may do with accounts. */
export const principals: RowWrites<'principals'> = {
  async create(scope, { rows }) {
    await insertRows(scope, rows, 'principals');
    await insertRows(scope, rows, 'account_grants');
  },
  async update(scope, { id, entity, rows }) {
    await scope.tx.updateTable('principals').set({ name: entity.name }).where('id', '=', id).execute();
    await scope.tx.deleteFrom('account_grants').where('principal_id', '=', id).execute();
    await insertRows(scope, rows, 'account_grants');
  },
  async remove({ tx }, { id }) {
    await tx.deleteFrom('principals').where('id', '=', id).execute();
  },
};
