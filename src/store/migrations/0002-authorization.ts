import type { Kysely } from 'kysely';
import { addColumn, createTable, makeUnique } from './table.ts';

/** The authorization server: login and consent of principals, and its interactions, grants, codes and refresh tokens. */
export const authorization = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumn(db, 'principals', 'telephone_number', 'text?');
    await addColumn(db, 'principals', 'consent', 'text', 'gives');
    await makeUnique(db, 'principals', ['telephone_number']);
    await createTable(
      db,
      'oauth_artifacts',
      { kind: 'text', id: 'text', grant_id: 'text?', payload: 'text', expires_at: 'instant', consumed_at: 'instant?' },
      { key: ['kind', 'id'], indexes: [['grant_id'], ['expires_at']] },
    );
    await createTable(
      db,
      'oauth_revocations',
      { grant_id: 'text', revoked_at: 'instant' },
      { key: ['grant_id'], indexes: [['revoked_at']] },
    );
    await createTable(db, 'oauth_assertions', { id: 'text', expires_at: 'instant' }, { key: ['id'], indexes: [['expires_at']] });
  },
};
