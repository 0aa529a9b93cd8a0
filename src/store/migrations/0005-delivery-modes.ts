import type { Kysely } from 'kysely';
import { createTable } from './table.ts';

/** How deliveries of a subscription go wrong on purpose. It points at none: a mode is an option, and outlives a world that is replaced. */
export const deliveryModes = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(
      db,
      'delivery_modes',
      { subscription_id: 'text', mode: 'text', one_by_one: 'integer', ordinal: 'integer', opened_at: 'instant' },
      { key: ['subscription_id'] },
    );
  },
};
