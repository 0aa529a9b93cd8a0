import { refuseReferred } from './referred.ts';
import { insertRows, type RowWrites } from './row-writes.ts';

export const providers: RowWrites<'providers'> = {
  create: (scope, { rows }) => insertRows(scope, rows, 'providers'),
  async update({ tx }, { id, entity }) {
    await tx.updateTable('providers').set({ name: entity.name }).where('id', '=', id).execute();
  },
  /** What it may do with the experiences of others goes with it. */
  async remove(scope, current) {
    await refuseReferred(scope, 'providers', current, ['experiences', 'clients', 'subscriptions']);
    await scope.tx.deleteFrom('providers').where('id', '=', current.id).execute();
  },
};
