import { removeMode } from '../../store/delivery-modes.ts';
import { insertRows, type RowWrites } from './row-writes.ts';

/** Who gets which events (Events › Subscription). What was published before is not sent again. */
export const subscriptions: RowWrites<'subscriptions'> = {
  create: (scope, { rows }) => insertRows(scope, rows, 'subscriptions'),
  async update({ tx }, { id, rows }) {
    const { experience_id, types, destination_url } = rows.subscriptions[0]!;
    await tx.updateTable('subscriptions').set({ experience_id, types, destination_url }).where('id', '=', id).execute();
  },
  async remove({ tx }, { id }) {
    await tx.deleteFrom('subscriptions').where('id', '=', id).execute();
    await removeMode(tx, id);
  },
};
