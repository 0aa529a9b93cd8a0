import { createUser, deleteUser, updateUser } from '../../service/users.ts';
import type { Tables } from '../../store/schema.ts';
import { toUserRow } from '../../store/users.ts';
import type { EntityType, StoredEntity } from '../entity.ts';

export const users: EntityType<'users', 'account'> = {
  references: { account: 'accounts' },
  fixed: ['account', 'createdAt', 'updatedAt'],
  generated: ['createdAt', 'updatedAt'],
  parts: {
    table: 'native_user_ids',
    orderBy: ['style', 'native_id'],
    toRows: ({ id, entity: { nativeIds = [] } }) => nativeIds.map((native) => ({ native_id: native.id, style: native.style, user_id: id })),
  },
  unique: [
    {
      columns: ['native_id', 'style'],
      ofParts: true,
      getPath: (index) => ['nativeIds', index, 'id'],
      createMessage: ({ native_id, style }, other) =>
        `${native_id} ${other === undefined ? 'is listed twice. Remove one entry.' : `is already the ${style} id of the user "${other}".`}`,
    },
  ],
  toRow({ id, alias, entity: { firstName, lastName, ...entity }, ids }, check) {
    const createdAt = check.checkInstant(entity.createdAt, 'createdAt');
    const updatedAt = entity.updatedAt == null ? null : check.checkInstant(entity.updatedAt, 'updatedAt');
    return toUserRow({ id, accountId: ids.account, firstName, lastName, createdAt, updatedAt }, alias);
  },
  toMembers({ first_name, last_name, created_at, updated_at, parts }) {
    const nativeIds = (parts as readonly Tables['native_user_ids'][]).map(({ style, native_id }) => ({ style, id: native_id }));
    return {
      ...(first_name !== '' && { firstName: first_name }),
      ...(last_name !== '' && { lastName: last_name }),
      createdAt: created_at,
      updatedAt: updated_at === '' ? null : updated_at,
      ...(nativeIds.length > 0 && { nativeIds }),
    };
  },
  writes: {
    create(scope, { id, alias, ids, entity: { firstName, lastName } }) {
      return createUser(scope, { id, alias, accountId: ids.account!, firstName, lastName });
    },
    /** The API does not show native ids, so a change to them is no update of the user. */
    async update(scope, { entity: { firstName, lastName } }, current) {
      if (firstName === current.entity.firstName && lastName === current.entity.lastName) return;
      await updateUser(scope, { ...toUserFacts(current), firstName, lastName });
    },
    remove: (scope, current) => deleteUser(scope, toUserFacts(current)),
  },
};

function toUserFacts({ row }: StoredEntity<'users'>) {
  return { id: row.id, accountId: row.account_id, createdAt: row.created_at, updatedAt: row.updated_at };
}
