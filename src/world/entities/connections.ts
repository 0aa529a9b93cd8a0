import { createConnection, deleteConnection, updateConnection } from '../../service/connections.ts';
import type { EntityType } from '../entity.ts';

export const connections: EntityType<'connections', 'account' | 'experience'> = {
  references: { account: 'accounts', experience: 'experiences' },
  fixed: ['account', 'experience', 'updatedAt'],
  generated: ['id', 'updatedAt'],
  alwaysSet: ['state'],
  unique: [
    {
      columns: ['account_id', 'experience_id'],
      getPath: () => [],
      createMessage: (_, other) => `This connects the same account to the same experience as "${other}". Keep one connection.`,
    },
  ],
  toRow({ entity: { state = 'INACTIVE', updatedAt }, ids }, check) {
    return { account_id: ids.account, experience_id: ids.experience, state, updated_at: check.checkInstant(updatedAt, 'updatedAt') };
  },
  toMembers: ({ state, updated_at }) => ({ state, updatedAt: updated_at }),
  useCases: {
    async create(context, actor, { alias, entity: { state }, ids }) {
      const result = await createConnection(context, actor, {
        accountId: ids.account!,
        experienceId: ids.experience!,
        state,
        alias: alias || undefined,
      });
      return 'connection' in result ? result.connection : result;
    },
    /** Calls `updateConnection` even if the state stays the same, because the decision `portal.same-state` determines the result. */
    async update(context, actor, { id, entity: { state }, named }) {
      return named.has('state') && state !== undefined ? updateConnection(context, actor, id, state) : {};
    },
    remove: deleteConnection,
  },
};
