import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type LimitNode, SqliteAdapter, type SqliteDatabase, SqliteDialect, SqliteQueryCompiler, type SqliteStatement } from 'kysely';
import type { Executor } from '../engine.ts';
import { createLaterRows, type LaterRows, type LaterTable, needsRows } from './later.ts';

const CACHED_STATEMENTS = 1000;

/**
 * Access to the database without Kysely's queue for the only connection. The promises of the queue take several times as long as a small
 * query. Direct access is safe only for queries in a transaction, which has the connection exclusively, and for single reads while no
 * transaction is open.
 */
export interface DirectAccess {
  readonly inTransaction: boolean;
  rows(sql: string, values: readonly unknown[]): unknown[];
  /**
   * Like `rows`, but keeps the result until the next write to a table of the query, or until a rollback. The rows are shared, so they must
   * not be changed.
   */
  remembered(sql: string, values: readonly unknown[]): unknown[];
  /** Returns each row as an array of its values. For many rows, arrays take half as long as objects. */
  tuples(sql: string, values: readonly unknown[]): unknown[][];
  /** Executes a statement. @returns the number of changed rows */
  change(sql: string, values: readonly unknown[]): number;
  /** Inserts a row later in the open transaction, before any statement that may depend on the row. */
  insertLater(table: LaterTable, row: object): void;
}

/** Returns the direct access to the database of an executor, or undefined if the database is not SQLite. */
export function directAccessOf(executor: Executor): DirectAccess | undefined {
  const { adapter } = executor.getExecutor();
  return adapter instanceof DirectSqliteAdapter ? adapter.direct : undefined;
}

/** Kysely's dialect for `node:sqlite`, with cached statements and direct access. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #direct: DirectAccess;

  constructor(database: DatabaseSync) {
    const memory = createMemory();
    const later = createLaterRows(cached((sql) => database.prepare(sql)));
    const prepare = (sql: string) => prepareStatement(database, sql, memory, later);
    const onRollback = () => {
      memory.forget();
      later.drop();
    };
    super({ database: withStatementCache(database, prepare, onRollback) });
    this.#direct = directAccess(database, prepare, memory, later);
  }

  override createAdapter(): SqliteAdapter {
    return new DirectSqliteAdapter(this.#direct);
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new StableLimitCompiler();
  }
}

/**
 * Writes each limit as an expression. If a limit is only a parameter, SQLite plans the query for its value, and compiles the statement again
 * for every execution.
 */
class StableLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}

class DirectSqliteAdapter extends SqliteAdapter {
  readonly direct: DirectAccess;

  constructor(direct: DirectAccess) {
    super();
    this.direct = direct;
  }

  /**
   * SQLite can change tables in a transaction. With `true`, Kysely runs migrations in a transaction, so that a failed migration is undone.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * The results of queries since the last write to one of their tables. Only this process can write, and every statement passes this file, so no result is outdated.
 */
type Memory = ReturnType<typeof createMemory>;

const MAX_REMEMBERED = 10_000;

function createMemory() {
  const results = new Map<string, Map<string, unknown[]>>();
  let size = 0;
  return {
    of(sql: string, values: readonly unknown[], query: () => unknown[]): unknown[] {
      if (size >= MAX_REMEMBERED) this.forget();
      const known = results.get(sql) ?? new Map<string, unknown[]>();
      if (known.size === 0) results.set(sql, known);
      // The separator is unambiguous, because no stored text contains a NUL character.
      const key = values.join('\0');
      let rows = known.get(key);
      if (rows === undefined) {
        rows = query();
        known.set(key, rows);
        size++;
      }
      return rows;
    },
    /** Forgets the results that may depend on the table; without a table, all results. */
    forget(table?: string): void {
      if (size === 0) return;
      for (const [sql, known] of results) {
        if (table !== undefined && !sql.includes(table)) continue;
        size -= known.size;
        results.delete(sql);
      }
    },
  };
}

/** Statements that start with one of these words do not change rows. */
const READS = /^\s*(?:select|begin|commit)\b/i;
/**
 * Statements that change rows only in the table that they name. A deletion may also change tables that refer to the table. No table has
 * triggers, and no key of a row changes.
 */
const WRITES = /^\s*(?:insert into|update) ("\w+")/;

type Prepare = (sql: string) => ReturnType<typeof prepareStatement>;

/**
 * Compiles a statement. Before its execution, rows that it may depend on are inserted, and the memory forgets results that depend on rows
 * that it may change.
 */
function prepareStatement(database: DatabaseSync, sql: string, memory: Memory, later: LaterRows) {
  const statement = database.prepare(sql);
  const mayWrite = !READS.test(sql);
  const table = WRITES.exec(sql)?.[1];
  const insertsRows = needsRows(sql);
  const given = (values: readonly unknown[]): SQLInputValue[] => {
    if (insertsRows) later.insert();
    if (mayWrite) memory.forget(table);
    return values as SQLInputValue[];
  };
  return {
    statement,
    all: (values: readonly unknown[]) => statement.all(...given(values)),
    run: (values: readonly unknown[]) => statement.run(...given(values)),
    iterate: (values: readonly unknown[]) => statement.iterate(...given(values)),
  };
}

function directAccess(database: DatabaseSync, prepareStatement: Prepare, memory: Memory, later: LaterRows): DirectAccess {
  const prepare = cached(prepareStatement);
  const prepareTuples = cached((sql) => {
    const prepared = prepareStatement(sql);
    prepared.statement.setReturnArrays(true);
    return prepared;
  });
  return {
    get inTransaction() {
      return database.isTransaction;
    },
    rows: (sql, values) => prepare(sql).all(values),
    remembered: (sql, values) => memory.of(sql, values, () => prepare(sql).all(values)),
    tuples: (sql, values) => prepareTuples(sql).all(values) as unknown as unknown[][],
    change: (sql, values) => Number(prepare(sql).run(values).changes),
    insertLater: (table, row) => {
      memory.forget(`"${table}"`);
      later.add(table, row);
    },
  };
}

function withStatementCache(database: DatabaseSync, prepareStatement: Prepare, onRollback: () => void): SqliteDatabase {
  const prepare = cached((sql): SqliteStatement => {
    const { statement, ...execute } = prepareStatement(sql);
    return { reader: statement.columns().length > 0, ...execute };
  });
  return {
    close: () => database.close(),
    // After some errors, such as a full disk, SQLite has already rolled back the transaction. A second rollback would fail and hide the
    // first error. In that case, a query without effect replaces the rollback.
    prepare(sql) {
      if (sql === 'rollback') onRollback();
      return prepare(sql === 'rollback' && !database.isTransaction ? 'select 1' : sql);
    },
  };
}

/** Caches compiled statements by their SQL, because compiling takes longer than running. A full cache drops the oldest statement. */
function cached<S>(prepare: (sql: string) => S): (sql: string) => S {
  const statements = new Map<string, S>();
  return (sql) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = prepare(sql);
      if (statements.size === CACHED_STATEMENTS) statements.delete(statements.keys().next().value ?? '');
      statements.set(sql, statement);
    }
    return statement;
  };
}
