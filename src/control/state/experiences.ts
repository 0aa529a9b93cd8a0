import { refuseReferred } from './referred.ts';
import { insertRows, type RowWrites } from './row-writes.ts';

/** Experiences and what providers may do with them; the owner's level is a row as any other. */
export const experiences: RowWrites<'experiences'> = {
  async create(scope, { rows }) {
    await insertRows(scope, rows, 'experiences');
    await insertRows(scope, rows, 'experience_grants');
  },
  /** A new name is in the events that come; those that were published keep the old one. */
  async update(scope, { id, entity, rows }) {
    await scope.tx.updateTable('experiences').set({ name: entity.name }).where('id', '=', id).execute();
    await scope.tx.deleteFrom('experience_grants').where('experience_id', '=', id).execute();
    await insertRows(scope, rows, 'experience_grants');
  },
  async remove(scope, current) {
    await refuseReferred(scope, 'experiences', current, ['assignments', 'connections', 'subscriptions']);
    await scope.tx.deleteFrom('experiences').where('id', '=', current.id).execute();
  },
};
