import type { components } from '../contract/generated/control.ts';
import type { Executor } from './engine.ts';
import { prepareQueriesByParameters } from './prepared.ts';
import type { Tables } from './schema.ts';

type Collection = components['schemas']['Collection'];

export const COLLECTION_TABLES = {
  providers: 'providers',
  experiences: 'experiences',
  accounts: 'accounts',
  telephoneNumbers: 'telephone_numbers',
  users: 'users',
  principals: 'principals',
  clients: 'clients',
  assignments: 'assignments',
  connections: 'connections',
  subscriptions: 'subscriptions',
} as const satisfies Record<Collection, keyof Tables>;

const countRows = prepareQueriesByParameters((db, _: object, table: (typeof COLLECTION_TABLES)[Collection]) =>
  db.selectFrom(table).select((eb) => eb.fn.countAll<number | string>().as('count')),
);

export async function countEntities(db: Executor): Promise<Record<Collection, number>> {
  const counts = {} as Record<Collection, number>;
  for (const [collection, table] of Object.entries(COLLECTION_TABLES))
    counts[collection as Collection] = Number((await countRows({}, table).first(db, {}))?.count);
  return counts;
}
