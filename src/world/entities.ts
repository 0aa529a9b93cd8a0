import { accounts, telephoneNumbers } from './entities/accounts.ts';
import { assignments } from './entities/assignments.ts';
import { clients } from './entities/clients.ts';
import { connections } from './entities/connections.ts';
import { experiences } from './entities/experiences.ts';
import { principals } from './entities/principals.ts';
import { providers } from './entities/providers.ts';
import { subscriptions } from './entities/subscriptions.ts';
import { users } from './entities/users.ts';
import type { EntityType } from './entity.ts';
import type { Collection } from './world.ts';

/** The collections in dump order: references point only to earlier collections. */
export const entityTypes: { readonly [C in Collection]: EntityType<C> } = {
  providers,
  experiences,
  accounts,
  telephoneNumbers,
  users,
  principals,
  clients,
  assignments,
  connections,
  subscriptions,
};

export const COLLECTIONS = Object.keys(entityTypes) as readonly Collection[];

export function getEntityType<C extends Collection>(collection: C): EntityType<C> {
  return entityTypes[collection] as unknown as EntityType<C>;
}

/** Maps each member by which a list of the collection can be filtered to the collection of the filter's value. */
export function listOwnerCollections(collection: Collection): Readonly<Partial<Record<string, Collection>>> {
  const { references } = getEntityType(collection);
  return collection === 'assignments' ? { ...references, account: 'accounts' } : references;
}
