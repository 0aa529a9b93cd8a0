import { deleteAccount, deleteNumber } from '../../service/accounts.ts';
import type { EntityType } from '../entity.ts';

export const accounts: EntityType<'accounts', never> = {
  references: {},
  affectsCallers: true,
  toRow: ({ entity: { name } }) => ({ name }),
  toMembers: ({ name }) => ({ name }),
  writes: { remove: (scope, { id }) => deleteAccount(scope, id) },
};

/** A telephone number's alias and id are the number itself. */
export const telephoneNumbers: EntityType<'telephoneNumbers', 'account'> = {
  references: { account: 'accounts' },
  fixed: ['account'],
  toRow: ({ ids }) => ({ account_id: ids.account }),
  toMembers: () => ({}),
  writes: { update: async () => {}, remove: (scope, { id }) => deleteNumber(scope, id) },
};
