import type { Kysely } from 'kysely';
import { addColumn } from './table.ts';

/** Headers of a payload that the operator made up. */
export const deliveryHeaders = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumn(db, 'deliveries', 'headers', 'text?');
  },
};
