import { CompiledQuery } from 'kysely';
import { type Engine, type Executor, engineOf } from './engine.ts';
import type { Tables } from './schema.ts';

/**
 * The tables of a world and its history: all tables except the snapshots. Each table comes after the tables that it refers to. The type
 * makes the compiler report a missing table.
 */
const ORDER = {
  meta: 'world',
  providers: 'world',
  experiences: 'world',
  experience_grants: 'world',
  accounts: 'world',
  telephone_numbers: 'world',
  users: 'world',
  native_user_ids: 'world',
  user_list: 'world',
  user_counts: 'world',
  principals: 'world',
  account_grants: 'world',
  clients: 'world',
  assignments: 'world',
  connections: 'world',
  oauth_assertions: 'history',
  oauth_revocations: 'history',
  oauth_artifacts: 'history',
  events: 'history',
  // `subscriptions` comes after `events`, because writers insert events before they update reorder counters. The same lock order in all
  // transactions prevents deadlocks.
  subscriptions: 'world',
  deliveries: 'history',
  delivery_attempts: 'history',
  inbox: 'history',
} as const satisfies Readonly<Record<Exclude<keyof Tables, 'snapshots'>, 'world' | 'history'>>;

export type StateTable = keyof typeof ORDER;
/** The tables with the entities of a world. The other tables contain published events, and what the authorization server issued. */
export type WorldTable = { [T in StateTable]: (typeof ORDER)[T] extends 'world' ? T : never }[StateTable];
export type WorldRows = { [T in WorldTable]: Tables[T][] };
type Row = Readonly<Record<string, unknown>>;
/** The rows of each table. A snapshot may come from an earlier version of the kit, so the columns are not typed. */
export type StateRows = Readonly<Record<StateTable, readonly Row[]>>;

export const STATE_TABLES = Object.keys(ORDER) as readonly StateTable[];

export function noRows(): WorldRows {
  return Object.fromEntries(STATE_TABLES.filter((table) => ORDER[table] === 'world').map((table) => [table, []])) as unknown as WorldRows;
}

/** Reads the rows of every table. Must be called in `store.read`, so that all rows come from the same snapshot of the database. */
export async function readState(db: Executor): Promise<StateRows> {
  const state = {} as Record<StateTable, StateRows[StateTable]>;
  for (const table of STATE_TABLES) state[table] = await db.selectFrom(table).selectAll().execute();
  return state;
}

/**
 * Replaces all rows of the tables by `rows`. Must be called in `store.replace`.
 * @param rows the new rows of each table. All rows of a table must have the same columns. A table without rows becomes empty.
 * @param metaKeys the keys of the table `meta` whose values are replaced. If undefined, all values are replaced.
 */
export async function replaceState(
  tx: Executor,
  rows: Readonly<Partial<Record<StateTable, readonly object[]>>>,
  metaKeys?: readonly string[],
): Promise<void> {
  for (const table of [...STATE_TABLES].reverse()) {
    const all = tx.deleteFrom(table);
    await (table === 'meta' && metaKeys ? all.where('key' as never, 'in', metaKeys as never) : all).execute();
  }
  const engine = engineOf(tx);
  for (const table of STATE_TABLES)
    for (const query of inserts(engine, table, (rows[table] ?? []) as readonly Row[])) await tx.executeQuery(query);
}

/**
 * The number of rows in an insert statement. Statements with 100 rows take half the time of statements with one row, and more rows are not
 * faster. With at most 20 columns per table, the number of parameters is far below the limits of both engines.
 */
const ROWS_PER_STATEMENT = 100;

/** Creates the SQL without Kysely, because Kysely would take longer to build these statements than the database takes to run them. */
function* inserts(engine: Engine, table: StateTable, rows: readonly Row[]): Iterable<CompiledQuery> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!);
  const into = `insert into "${table}" (${columns.map((column) => `"${column}"`)}) values `;
  const full = into + placeholders(engine, columns.length, ROWS_PER_STATEMENT);
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const batch = rows.slice(start, start + ROWS_PER_STATEMENT);
    const text = batch.length === ROWS_PER_STATEMENT ? full : into + placeholders(engine, columns.length, batch.length);
    yield CompiledQuery.raw(
      text,
      batch.flatMap((row) => columns.map((column) => row[column])),
    );
  }
}

function placeholders(engine: Engine, columns: number, rows: number): string {
  const value = engine === 'postgres' ? (i: number) => `$${i + 1}` : () => '?';
  const row = (r: number) => `(${Array.from({ length: columns }, (_, c) => value(r * columns + c))})`;
  return Array.from({ length: rows }, (_, r) => row(r)).join();
}
