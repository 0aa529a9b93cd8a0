import type { Kysely } from 'kysely';
import { createTable } from './table.ts';

/** Worlds that were saved by name. They refer to no other table. */
export const snapshots = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(
      db,
      'snapshots',
      { name: 'text', saved_at: 'text', world: 'text', entities: 'text', content: 'text' },
      { key: ['name'] },
    );
  },
};
