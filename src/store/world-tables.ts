import { CompiledQuery } from 'kysely';
import { type Engine, type Executor, getEngine } from './engine.ts';
import { prepareQueriesByParameters } from './prepared.ts';
import type { Tables } from './schema.ts';

/** A world's tables, each after the tables that it refers to. */
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
  // `subscriptions` comes after `events`, because writers also lock them in this order, and another order could cause deadlocks.
  subscriptions: 'world',
  deliveries: 'history',
  delivery_attempts: 'history',
  inbox: 'history',
  changes: 'history',
} as const satisfies Readonly<Record<Exclude<keyof Tables, 'snapshots' | 'faults'>, 'world' | 'history'>>;

export type StateTable = keyof typeof TABLE_ORDER;
export type WorldTable = { [T in StateTable]: (typeof TABLE_ORDER)[T] extends 'world' ? T : never }[StateTable];
export type WorldRows = { [T in WorldTable]: Tables[T][] };
type Row = Readonly<Record<string, unknown>>;
/** Each table's rows, untyped because snapshots may come from an earlier kit version. */
export type StateRows = Readonly<Record<StateTable, readonly Row[]>>;

export const STATE_TABLES = Object.keys(TABLE_ORDER) as readonly StateTable[];

export function createEmptyRows(): WorldRows {
  return Object.fromEntries(
    STATE_TABLES.filter((table) => TABLE_ORDER[table] === 'world').map((table) => [table, []]),
  ) as unknown as WorldRows;
}

/** Must be called in `store.read`, so that the rows are consistent. */
export async function readState(db: Executor): Promise<StateRows> {
  const state = {} as Record<StateTable, StateRows[StateTable]>;
  for (const table of STATE_TABLES) state[table] = await db.selectFrom(table).selectAll().execute();
  return state;
}

/**
 * Sets the contents of all tables. Must be called in `store.writeExclusively`. Does not rewrite unchanged tables, because comparing rows is
 * faster than writing them.
 * @param rows the new rows by table; all rows of a table must have the same columns, and a missing table becomes empty
 * @param metaKeys the `meta` keys to replace; if omitted, all keys are replaced
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
  // All tables after the first changed one are replaced, because their rows may refer to deleted rows.
  const replaced = others.slice(unchangedCount);
  for (const table of replaced.toReversed()) await tx.deleteFrom(table).execute();
  const deletion = tx.deleteFrom(meta);
  await (metaKeys ? deletion.where('key', 'in', metaKeys) : deletion).execute();
  const engine = getEngine(tx);
  for (const table of [meta, ...replaced]) for (const query of buildInserts(engine, table, getNewRows(table))) await tx.executeQuery(query);
}

const firstRows = prepareQueriesByParameters((db, p: { limit: number }, table: StateTable) =>
  db.selectFrom(table).selectAll().limit(p.limit),
);

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

/** The number of rows per insert. With one row per insert, inserting would take twice as long. Larger inserts would not be faster. */
const ROWS_PER_STATEMENT = 100;

/** Bypasses Kysely, which would build the SQL more slowly than the database executes it. */
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
