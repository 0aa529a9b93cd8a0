import { createUser, deleteUser, updateUser } from '../../service/users/write.ts';
import { SINGULAR } from '../../world/world.ts';
import type { Known } from './references.ts';
import { refuse } from './refusal.ts';
import { type Compiled, insertRows, type RowWrites, type Scope } from './row-writes.ts';

export const users: RowWrites<'users'> = {
  async create(scope, next) {
    await refuseTakenNativeIds(scope, next);
    const { alias, id, entity, ids } = next;
    await createUser(scope.tx, scope.context, {
      id,
      alias,
      accountId: ids.account!,
      firstName: entity.firstName,
      lastName: entity.lastName,
    });
    await insertRows(scope, next.rows, 'native_user_ids');
  },
  /** Only new names are an update of the user: the API does not show native ids. */
  async update(scope, next, current) {
    await refuseTakenNativeIds(scope, next);
    const { firstName, lastName } = next.entity;
    if (firstName !== current.entity.firstName || lastName !== current.entity.lastName) {
      await updateUser(scope.tx, scope.context, { ...known(current, next.ids.account!), firstName, lastName });
    }
    await scope.tx.deleteFrom('native_user_ids').where('user_id', '=', current.id).execute();
    await insertRows(scope, next.rows, 'native_user_ids');
  },
  async remove({ tx, context }, current) {
    const { account_id } = await tx.selectFrom('users').select('account_id').where('id', '=', current.id).executeTakeFirstOrThrow();
    await deleteUser(tx, context, known(current, account_id));
  },
};

function known({ id, entity }: Known<'users'>, accountId: string) {
  return { id, accountId, createdAt: entity.createdAt ?? '', updatedAt: entity.updatedAt ?? '' };
}

async function refuseTakenNativeIds({ tx }: Scope, { id, rows }: Compiled<'users'>): Promise<void> {
  for (const [index, native] of rows.native_user_ids.entries()) {
    const other = await tx
      .selectFrom('native_user_ids as n')
      .innerJoin('users as u', 'u.id', 'n.user_id')
      .select('u.alias')
      .where('n.native_id', '=', native.native_id)
      .where('n.style', '=', native.style)
      .where('u.id', '!=', id)
      .executeTakeFirst();
    if (!other) continue;
    const message = `${native.native_id} is the ${native.style} id of the ${SINGULAR.users} "${other.alias}" already.`;
    refuse('conflict', message, [{ pointer: `/nativeIds/${index}/id`, message }]);
  }
}
