import { type Kysely, sql } from 'kysely';
import { addColumn } from './table.ts';

/** Delivery modes belong to the world, so they move from a table that outlived it to their subscriptions. Subscriptions get a signing secret. */
export const subscriptionModes = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumn(db, 'subscriptions', 'secret', 'text?');
    await addColumn(db, 'subscriptions', 'mode', 'text?');
    await addColumn(db, 'subscriptions', 'reorder_ordinal', 'integer?');
    await addColumn(db, 'subscriptions', 'reorder_opened_at', 'instant?');
    await sql`update subscriptions set mode = delivery_modes.mode,
      reorder_ordinal = case when one_by_one = 1 then ordinal end, reorder_opened_at = case when one_by_one = 1 then opened_at end
      from delivery_modes where subscription_id = subscriptions.id`.execute(db);
    await db.schema.dropTable('delivery_modes').execute();
  },
};
