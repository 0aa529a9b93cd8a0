import type { components } from '../contract/generated/control.ts';
import type { Executor } from './engine.ts';
import type { Tables } from './schema.ts';

type Collection = components['schemas']['Collection'];

/** The table of each collection of a world. The type makes the compiler report a missing collection. */
export const TABLES = {
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

export async function countEntities(db: Executor): Promise<Record<Collection, number>> {
  const counts = {} as Record<Collection, number>;
  for (const [collection, table] of Object.entries(TABLES)) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow();
    counts[collection as Collection] = Number(count);
  }
  return counts;
}
