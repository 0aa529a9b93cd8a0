import type { Executor } from './engine.ts';

/** Collections of a world and the tables they are kept in. */
const TABLES = {
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
} as const;

/** How many entities each collection has. */
export async function countEntities(db: Executor): Promise<Record<keyof typeof TABLES, number>> {
  const counts = {} as Record<keyof typeof TABLES, number>;
  for (const [collection, table] of Object.entries(TABLES)) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow();
    counts[collection as keyof typeof TABLES] = Number(count);
  }
  return counts;
}
