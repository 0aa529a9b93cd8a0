import { CompiledQuery } from 'kysely';
import { type Engine, type Executor, getEngine } from './engine.ts';
import { prepareByShape } from './prepared.ts';
import type { Tables } from './schema.ts';

/**
 * The tables of a world and its history: all tables except the snapshots and the faults. Each table comes after the tables that it refers
 * to. The type makes the compiler report a missing table.
 */
const TABLE_ORDER = {
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
  // `subscriptions` comes after `events`, because writers insert events before they update reorder counters. Using the same lock order in
  // all transactions prevents deadlocks.
  subscriptions: 'world',
  deliveries: 'history',
  delivery_attempts: 'history',
  inbox: 'history',
  changes: 'history',
} as const satisfies Readonly<Record<Exclude<keyof Tables, 'snapshots' | 'faults'>, 'world' | 'history'>>;

export type StateTable = keyof typeof TABLE_ORDER;
/** The tables with a world's entities. `STATE_TABLES` also contains published events, and the authorization server's codes and tokens. */
export type WorldTable = { [T in StateTable]: (typeof TABLE_ORDER)[T] extends 'world' ? T : never }[StateTable];
export type WorldRows = { [T in WorldTable]: Tables[T][] };
type Row = Readonly<Record<string, unknown>>;
/** Each table's rows. A snapshot may come from an earlier kit version, so the columns are not typed. */
export type StateRows = Readonly<Record<StateTable, readonly Row[]>>;

export const STATE_TABLES = Object.keys(TABLE_ORDER) as readonly StateTable[];

export function createEmptyRows(): WorldRows {
  return Object.fromEntries(
    STATE_TABLES.filter((table) => TABLE_ORDER[table] === 'world').map((table) => [table, []]),
  ) as unknown as WorldRows;
}

/** Reads every table's rows. Must be called in `store.read`, so that all rows come from the same snapshot of the database. */
export async function readState(db: Executor): Promise<StateRows> {
  const state = {} as Record<StateTable, StateRows[StateTable]>;
  for (const table of STATE_TABLES) state[table] = await db.selectFrom(table).selectAll().execute();
  return state;
}

/**
 * Replaces all rows in the tables with `rows`. Must be called in `store.replace`. Does not write a table that already has these rows,
 * because reading a table is much faster than writing it.
 * @param rows each table's new rows. All rows in a table must have the same columns. A table without rows becomes empty.
 * @param metaKeys the `meta` table's keys for which values are replaced. If undefined, all values are replaced.
 */
export async function replaceState(
  tx: Executor,
  rows: Readonly<Partial<Record<StateTable, readonly object[]>>>,
  metaKeys?: readonly string[],
): Promise<void> {
  const getNewRows = (table: StateTable) => (rows[table] ?? []) as readonly Row[];
  const [meta, ...others] = STATE_TABLES as readonly ['meta', ...StateTable[]];
  let unchangedCount = 0;
  while (unchangedCount < others.length && (await hasRows(tx, others[unchangedCount]!, getNewRows(others[unchangedCount]!))))
    unchangedCount++;
  // The first table whose rows have changed and all tables after it are replaced, because the later tables' rows may refer to deleted rows.
  const replaced = others.slice(unchangedCount);
  for (const table of replaced.toReversed()) await tx.deleteFrom(table).execute();
  const deletion = tx.deleteFrom(meta);
  await (metaKeys ? deletion.where('key', 'in', metaKeys) : deletion).execute();
  const engine = getEngine(tx);
  for (const table of [meta, ...replaced]) for (const query of buildInserts(engine, table, getNewRows(table))) await tx.executeQuery(query);
}

const firstRows = prepareByShape((db, p: { limit: number }, table: StateTable) => db.selectFrom(table).selectAll().limit(p.limit));

/** Returns whether a table contains exactly these rows, in the same order. The order rarely differs. */
async function hasRows(tx: Executor, table: StateTable, rows: readonly Row[]): Promise<boolean> {
  const params = { limit: rows.length + 1 };
  const storedRows: readonly Row[] = await firstRows(params, table)(tx, params);
  if (storedRows.length !== rows.length) return false;
  const columns = Object.keys(storedRows[0] ?? {});
  return storedRows.every((row, index) => isSameRow(columns, row, rows[index]!));
}

/** Rows from an earlier kit version may lack columns. */
function isSameRow(columns: readonly string[], row: Row, other: Row): boolean {
  return columns.length === Object.keys(other).length && columns.every((column) => row[column] === other[column]);
}

/**
 * The number of rows in an insert statement. Per row, a statement with 100 rows takes half the time of a statement with one row, and a
 * longer statement is not faster. With at most 20 columns per table, the number of parameters is far below both engines' limits.
 */
const ROWS_PER_STATEMENT = 100;

/** Builds the SQL without Kysely, because Kysely would need longer to build it than the database needs to execute it. */
function* buildInserts(engine: Engine, table: StateTable, rows: readonly Row[]): Iterable<CompiledQuery> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!);
  const into = `insert into "${table}" (${columns.map((column) => `"${column}"`)}) values `;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const batch = rows.slice(start, start + ROWS_PER_STATEMENT);
    yield CompiledQuery.raw(
      into + getPlaceholders(engine, columns.length, batch.length),
      batch.flatMap((row) => columns.map((column) => row[column])),
    );
  }
}

const placeholderCache = new Map<string, string>();

function getPlaceholders(engine: Engine, columns: number, rows: number): string {
  const key = `${engine} ${columns} ${rows}`;
  let text = placeholderCache.get(key);
  if (text === undefined) {
    const value = engine === 'postgres' ? (i: number) => `$${i + 1}` : () => '?';
    const formatRow = (r: number) => `(${Array.from({ length: columns }, (_, c) => value(r * columns + c))})`;
    text = Array.from({ length: rows }, (_, r) => formatRow(r)).join();
    placeholderCache.set(key, text);
  }
  return text;
}
