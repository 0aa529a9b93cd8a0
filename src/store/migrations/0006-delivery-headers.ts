import type { Kysely } from 'kysely';
import { addColumn } from './table.ts';

/** The headers of a payload made by the operator. */
export const deliveryHeaders = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumn(db, 'deliveries', 'headers', 'text?');
  },
};
