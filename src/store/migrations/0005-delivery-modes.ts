import type { Kysely } from 'kysely';
import { createTable } from './table.ts';

/** Delivery modes. They refer to no subscription, because a mode outlives a world that is replaced. */
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
