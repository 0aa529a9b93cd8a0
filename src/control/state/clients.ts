import { insertRows, type RowWrites } from './row-writes.ts';

/** OAuth clients. Tokens of a client that goes are refused from then on. */
export const clients: RowWrites<'clients'> = {
  create: (scope, { rows }) => insertRows(scope, rows, 'clients'),
  async update({ tx }, { id, rows }) {
    const [row] = rows.clients;
    await tx.updateTable('clients').set({ name: row!.name, settings: row!.settings }).where('id', '=', id).execute();
  },
  async remove({ tx }, { id }) {
    await tx.deleteFrom('clients').where('id', '=', id).execute();
  },
};
