import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Executor } from './engine.ts';
import { prepareQueriesByParameters } from './prepared.ts';
import { type Tables, tables } from './schema.ts';
import { type DirectSqliteAccess, getDirectSqliteAccess, type Statement } from './sqlite/driver.ts';

export type StateTable = Exclude<keyof Tables, 'snapshots' | 'faults'>;
type HistoryTable = `oauth_${string}` | 'events' | 'deliveries' | 'delivery_attempts' | 'inbox' | 'changes';
export type WorldTable = Exclude<StateTable, HistoryTable>;
type Row = Readonly<Record<string, unknown>>;
/** Each table's rows, untyped because snapshots may come from an earlier kit version. */
export type StateRows = Readonly<Record<StateTable, readonly Row[]>>;

export const STATE_TABLES = Object.keys(tables).filter((table) => table !== 'snapshots' && table !== 'faults') as readonly StateTable[];

/** Must be called in `store.read`, so that the rows are consistent. */
export async function readState(db: Executor): Promise<StateRows> {
  const state = {} as Record<StateTable, StateRows[StateTable]>;
  for (const table of STATE_TABLES) state[table] = await db.selectFrom(table).selectAll().execute();
  return state;
}

/** A table's rows. They need not be in memory: each iteration may create them again. */
export interface Rows<R = object> extends Iterable<R> {
  readonly length: number;
  /** A statement that inserts the rows, if the database can derive them from an earlier table. */
  readonly insert?: RawBuilder<unknown>;
}

/**
 * Sets the contents of all tables. Must be called in `store.writeExclusively`. Does not rewrite unchanged tables, because comparing rows is
 * faster than writing them.
 * @param rows the new rows by table; all rows of a table must have the same columns, and a missing table becomes empty
 * @param metaKeys the `meta` keys to replace; if omitted, all keys are replaced
 */
export async function replaceState(
  tx: Executor,
  rows: Readonly<Partial<Record<StateTable, Rows>>>,
  metaKeys?: readonly string[],
): Promise<void> {
  const getNewRows = (table: StateTable) => (rows[table] ?? []) as Rows<Row>;
  const [meta, ...others] = STATE_TABLES as readonly ['meta', ...StateTable[]];
  let unchangedCount = 0;
  while (unchangedCount < others.length && (await hasRows(tx, others[unchangedCount]!, getNewRows(others[unchangedCount]!))))
    unchangedCount++;
  // All tables after the first changed one are replaced, because their rows may refer to deleted rows.
  const replaced = others.slice(unchangedCount);
  for (const table of replaced.toReversed()) await tx.deleteFrom(table).execute();
  const deletion = tx.deleteFrom(meta);
  await (metaKeys ? deletion.where('key', 'in', metaKeys) : deletion).execute();
  for (const table of [meta, ...replaced]) await insertAll(tx, table, getNewRows(table));
}

/** Larger tables are read row by row, so that they need not fit into memory. */
const MAX_COMPARED_AT_ONCE = 1000;

const firstRows = prepareQueriesByParameters((db, p: { limit: number }, table: StateTable) =>
  db.selectFrom(table).selectAll().limit(p.limit),
);

async function hasRows(tx: Executor, table: StateTable, rows: Rows<Row>): Promise<boolean> {
  const params = { limit: rows.length + 1 };
  let storedRows: Iterable<unknown>;
  if (rows.length < MAX_COMPARED_AT_ONCE) storedRows = await firstRows(params, table)(tx, params);
  else {
    const direct = getDirectSqliteAccess(tx);
    // PostgreSQL does not return many rows in the order of their insertion.
    if (!direct) return false;
    storedRows = direct.prepare(`select * from "${table}"`).iterate([]);
  }
  const expected = Iterator.from(rows);
  let columns: readonly string[] | undefined;
  for (const row of storedRows as Iterable<Row>) {
    columns ??= Object.keys(row);
    const { value, done } = expected.next();
    if (done || !isSameRow(columns, row, value)) return false;
  }
  return expected.next().done === true;
}

/** Rows from an earlier kit version may lack columns. */
function isSameRow(columns: readonly string[], row: Row, other: Row): boolean {
  return columns.length === Object.keys(other).length && columns.every((column) => row[column] === other[column]);
}

/** With more rows than this, creating SQLite's indexes after the rows takes less than half the time. */
const MAX_INDEXED_INSERTS = 10_000;

async function insertAll(tx: Executor, table: StateTable, rows: Rows<Row>): Promise<void> {
  const direct = getDirectSqliteAccess(tx);
  const indexes = direct && rows.length > MAX_INDEXED_INSERTS ? await dropIndexes(tx, table) : [];
  if (rows.insert) await rows.insert.execute(tx);
  else if (direct) insertOneByOne(direct, table, rows);
  else for (const query of buildInserts(table, rows)) await tx.executeQuery(query);
  for (const index of indexes) await tx.executeQuery(CompiledQuery.raw(index));
}

/** @returns the statements that create the indexes again */
async function dropIndexes(tx: Executor, table: StateTable): Promise<string[]> {
  // SQLite creates the indexes of constraints itself, so their statement is null. They cannot be dropped.
  const { rows: indexes } = await sql<{ name: string; statement: string }>`
    select name, sql as statement from sqlite_schema where type = 'index' and tbl_name = ${table} and sql is not null`.execute(tx);
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(tx);
  return indexes.map(({ statement }) => statement);
}

/** Bypasses Kysely, which takes longer than the database. */
function insertOneByOne(direct: DirectSqliteAccess, table: StateTable, rows: Iterable<Row>): void {
  let columns: readonly string[] | undefined;
  let statement: Statement | undefined;
  for (const row of rows) {
    if (columns === undefined) {
      columns = Object.keys(row);
      statement = direct.prepare(`insert into "${table}" (${columns.map((column) => `"${column}"`)}) values (${columns.map(() => '?')})`);
    }
    // To be able to undo a statement with several rows, SQLite would copy every page that the statement changes.
    statement!.run(columns.map((column) => row[column]));
  }
}

/** With one row per insert, inserting into PostgreSQL would take twice as long. Larger inserts would not be faster. */
const ROWS_PER_STATEMENT = 100;

/** Bypasses Kysely, which would build the SQL more slowly than the database executes it. */
function* buildInserts(table: StateTable, rows: Iterable<Row>): Iterable<CompiledQuery> {
  let columns: readonly string[] | undefined;
  let values: unknown[] = [];
  const build = (names: readonly string[]) =>
    CompiledQuery.raw(
      `insert into "${table}" (${names.map((column) => `"${column}"`)}) values ${getPlaceholders(names.length, values.length / names.length)}`,
      values,
    );
  for (const row of rows) {
    columns ??= Object.keys(row);
    for (const column of columns) values.push(row[column]);
    if (values.length < columns.length * ROWS_PER_STATEMENT) continue;
    yield build(columns);
    values = [];
  }
  if (columns && values.length > 0) yield build(columns);
}

const placeholderCache = new Map<string, string>();

function getPlaceholders(columns: number, rows: number): string {
  const key = `${columns} ${rows}`;
  let text = placeholderCache.get(key);
  if (text === undefined) {
    const formatRow = (r: number) => `(${Array.from({ length: columns }, (_, c) => `$${r * columns + c + 1}`)})`;
    text = Array.from({ length: rows }, (_, r) => formatRow(r)).join();
    placeholderCache.set(key, text);
  }
  return text;
}
