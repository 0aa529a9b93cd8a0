import { insertRows, type RowWrites } from './row-writes.ts';

/** Who gets which events (Events › Subscription). What was published before is not sent again. */
export const subscriptions: RowWrites<'subscriptions'> = {
  create: (scope, { rows }) => insertRows(scope, rows, 'subscriptions'),
  async update({ tx }, { id, rows, asked }) {
    const { reorder_ordinal, reorder_opened_at, ...columns } = rows.subscriptions[0]!;
    // Setting a mode starts a new order; a mode that is left as it is keeps its order.
    const order = asked.has('mode') || columns.mode === null ? { reorder_ordinal, reorder_opened_at } : {};
    await tx
      .updateTable('subscriptions')
      .set({ ...columns, ...order })
      .where('id', '=', id)
      .execute();
  },
  async remove({ tx }, { id }) {
    await tx.deleteFrom('subscriptions').where('id', '=', id).execute();
  },
};
