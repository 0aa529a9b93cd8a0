import type { Executor } from './engine.ts';
import type { Tables } from './schema.ts';

/** The tables of a world and its history: every table but that of the snapshots. */
export type StateTable = Exclude<keyof Tables, 'snapshots'>;
/** Rows with whatever columns their tables have. */
export type StateRows = Readonly<Record<StateTable, readonly Readonly<Record<string, unknown>>[]>>;

/** In an order in which rows can be put in: each table after those that it points at. A table that is missing here does not compile. */
const ORDER: Readonly<Record<StateTable, true>> = {
  meta: true,
  providers: true,
  experiences: true,
  experience_grants: true,
  accounts: true,
  telephone_numbers: true,
  users: true,
  native_user_ids: true,
  user_list: true,
  user_counts: true,
  principals: true,
  account_grants: true,
  clients: true,
  assignments: true,
  connections: true,
  oauth_assertions: true,
  oauth_revocations: true,
  oauth_artifacts: true,
  events: true,
  // After events: a writer publishes an event, and then counts it if the mode of the subscription reorders.
  subscriptions: true,
  deliveries: true,
  delivery_attempts: true,
  inbox: true,
};
export const STATE_TABLES = Object.keys(ORDER) as readonly StateTable[];

/** The rows of every table. To be called in `store.read`, so that it is one state. */
export async function readState(db: Executor): Promise<StateRows> {
  const state = {} as Record<StateTable, StateRows[StateTable]>;
  for (const table of STATE_TABLES) state[table] = await db.selectFrom(table).selectAll().execute();
  return state;
}

/** At most 20 columns: far below both engines' limits of values. */
const ROWS_A_STATEMENT = 100;

/** Makes these rows the only ones. To be called in `store.replace`. */
export async function writeState(tx: Executor, state: StateRows): Promise<void> {
  for (const table of [...STATE_TABLES].reverse()) await tx.deleteFrom(table).execute();
  for (const table of STATE_TABLES) {
    // A table that was made after these rows were read has none.
    const rows = state[table] ?? [];
    for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
      await tx
        .insertInto(table)
        .values(rows.slice(start, start + ROWS_A_STATEMENT) as never)
        .execute();
    }
  }
}
