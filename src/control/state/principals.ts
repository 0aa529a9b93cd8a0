import { refuse } from './refusal.ts';
import { type Compiled, insertRows, type RowWrites, type Scope } from './row-writes.ts';

/** The people who authorize tokens: how they log in, what they answer, and what they may do with accounts. */
export const principals: RowWrites<'principals'> = {
  async create(scope, next) {
    await refuseTakenNumber(scope, next);
    await insertRows(scope, next.rows, 'principals');
    await insertRows(scope, next.rows, 'account_grants');
  },
  async update(scope, next) {
    await refuseTakenNumber(scope, next);
    const [row] = next.rows.principals;
    const { name, telephone_number, consent } = row!;
    await scope.tx.updateTable('principals').set({ name, telephone_number, consent }).where('id', '=', next.id).execute();
    await scope.tx.deleteFrom('account_grants').where('principal_id', '=', next.id).execute();
    await insertRows(scope, next.rows, 'account_grants');
  },
  async remove({ tx }, { id }) {
    await tx.deleteFrom('principals').where('id', '=', id).execute();
  },
};

async function refuseTakenNumber({ tx }: Scope, { id, entity }: Compiled<'principals'>): Promise<void> {
  const { telephoneNumber } = entity;
  if (telephoneNumber === undefined) return;
  const other = await tx
    .selectFrom('principals')
    .select('alias')
    .where('telephone_number', '=', telephoneNumber)
    .where('id', '!=', id)
    .executeTakeFirst();
  if (!other) return;
  const message = `The principal "${other.alias}" logs in with this number. Give each its own, or none.`;
  refuse('conflict', message, [{ pointer: '/telephoneNumber', message }]);
}
