import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Executor } from './engine.ts';
import { prepareQueriesByParameters } from './prepared.ts';
import { type Tables, tables } from './schema.ts';
import { getDirectSqliteAccess } from './sqlite/driver.ts';

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
  const indexes = rows.length > MAX_INDEXED_INSERTS && getDirectSqliteAccess(tx) ? await dropIndexes(tx, table) : [];
  await (rows.insert ? rows.insert.execute(tx) : insertInBatches(tx, table, rows));
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

/** With one row per statement, inserting into PostgreSQL would take twice as long. Larger statements would not be faster. */
const POSTGRES_BATCH_SIZE = 100;

/** Bypasses Kysely, which takes longer than the database. */
async function insertInBatches(tx: Executor, table: StateTable, rows: Iterable<Row>): Promise<void> {
  const direct = getDirectSqliteAccess(tx);
  const statements = new Map<number, string>();
  let columns: readonly string[] | undefined;
  // To be able to undo a statement with several rows, SQLite would copy every page that the statement changes.
  for (const batch of splitIntoBatches(rows, direct ? 1 : POSTGRES_BATCH_SIZE)) {
    columns ??= Object.keys(batch[0]!);
    const values = batch.flatMap((row) => columns!.map((column) => row[column]));
    const statement = statements.get(batch.length) ?? buildInsert(table, columns, batch.length, direct ? '?' : '$');
    statements.set(batch.length, statement);
    if (direct) direct.prepare(statement).run(values);
    else await tx.executeQuery(CompiledQuery.raw(statement, values));
  }
}

function* splitIntoBatches<T>(rows: Iterable<T>, size: number): Iterable<readonly T[]> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function buildInsert(table: string, columns: readonly string[], rowCount: number, parameter: '?' | '$'): string {
  // Older releases of Node.js 22 and 24 cannot bind `?1` by its position.
  const formatParameter = (index: number) => (parameter === '?' ? '?' : `$${index + 1}`);
  const formatRow = (row: number) => `(${columns.map((_, column) => formatParameter(row * columns.length + column))})`;
  const names = columns.map((column) => `"${column}"`);
  return `insert into "${table}" (${names}) values ${Array.from({ length: rowCount }, (_, row) => formatRow(row))}`;
}
