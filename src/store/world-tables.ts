import { CompiledQuery } from 'kysely';
import { type Engine, type Executor, engineOf } from './engine.ts';
import type { Tables } from './schema.ts';

/**
 * The tables of a world and its history: all tables except the snapshots. Each table comes after the tables that it refers to. The compiler
 * requires every table to be listed here.
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
  // Comes after events, because writers insert events before they update reorder counters. The same order of locks prevents deadlocks.
  subscriptions: 'world',
  deliveries: 'history',
  delivery_attempts: 'history',
  inbox: 'history',
} as const satisfies Readonly<Record<Exclude<keyof Tables, 'snapshots'>, 'world' | 'history'>>;

export type StateTable = keyof typeof ORDER;
/** The tables with the entities of a world. The other tables contain what was published and what the authorization server issued. */
export type WorldTable = { [T in StateTable]: (typeof ORDER)[T] extends 'world' ? T : never }[StateTable];
/** A world as the rows of each table. */
export type WorldRows = { [T in WorldTable]: Tables[T][] };
type Row = Readonly<Record<string, unknown>>;
/** The rows of each table, of any columns, because a snapshot may come from an earlier version. */
export type StateRows = Readonly<Record<StateTable, readonly Row[]>>;

export const STATE_TABLES = Object.keys(ORDER) as readonly StateTable[];

export function noRows(): WorldRows {
  return Object.fromEntries(STATE_TABLES.filter((table) => ORDER[table] === 'world').map((table) => [table, []])) as unknown as WorldRows;
}

/** Reads the rows of every table. Must be called in `store.read`, so that all rows are from the same moment. */
export async function readState(db: Executor): Promise<StateRows> {
  const state = {} as Record<StateTable, StateRows[StateTable]>;
  for (const table of STATE_TABLES) state[table] = await db.selectFrom(table).selectAll().execute();
  return state;
}

/**
 * Replaces all rows of the tables by `rows`. Must be called in `store.replace`.
 *
 * @param rows the rows of one table all have the same columns. A table that is not given is empty afterwards.
 * @param metaKeys the keys of the values in the table `meta` that are replaced; all if undefined.
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
 * Inserting 100 rows per statement takes half as long as inserting one; more rows are not faster. Tables have at most 20 columns, so a
 * statement has far fewer parameters than both engines allow.
 */
const ROWS_PER_STATEMENT = 100;

/** Writes the SQL without Kysely, which would need more time to build these statements than the database needs to run them. */
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
