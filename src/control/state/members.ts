import type { Collection } from '../../world/world.ts';

/** Members, beside alias and id, that stay as they were made: others rest on them, or the service alone changes them. */
export const FIXED: { readonly [C in Collection]: readonly string[] } = {
  providers: [],
  experiences: ['provider', 'type'],
  accounts: [],
  telephoneNumbers: ['account'],
  users: ['account', 'createdAt', 'updatedAt'],
  principals: [],
  clients: ['provider'],
  assignments: ['experience', 'targetType', 'target', 'updatedAt'],
  connections: ['account', 'experience', 'updatedAt'],
  subscriptions: ['provider'],
};

/** Members that the service gives to what is made at run time. Only a world that is loaded can say them. */
export const GIVEN: { readonly [C in Collection]: readonly string[] } = {
  providers: [],
  experiences: [],
  accounts: [],
  telephoneNumbers: [],
  users: ['createdAt', 'updatedAt'],
  principals: [],
  clients: [],
  assignments: ['id', 'updatedAt'],
  connections: ['id', 'updatedAt'],
  subscriptions: [],
};

/** Collections that are written through the use cases of the API, which give the ids. */
export const IDENTIFIED_BY_SERVICE: ReadonlySet<Collection> = new Set(['assignments', 'connections'] as const);

/** Members that are never absent, so that null does not remove them. */
export const ALWAYS_THERE: { readonly [C in Collection]?: readonly string[] } = { connections: ['state'] };
