import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type LimitNode, SqliteAdapter, type SqliteDatabase, SqliteDialect, SqliteQueryCompiler, type SqliteStatement } from 'kysely';
import type { Executor } from '../engine.ts';
import { createDeferredInserts, type DeferredInserts, type DeferredTable, needsDeferredRows } from './deferred-inserts.ts';

const CACHED_STATEMENTS = 1000;

/**
 * Executes SQL directly, because Kysely's connection queue is slow. Call it only in a transaction, or for a single read while no
 * transaction is open.
 */
export interface DirectSqliteAccess {
  readonly inTransaction: boolean;
  readRows(sql: string, values: readonly unknown[]): unknown[];
  /** Reads one row at a time. */
  iterateRows(sql: string): Iterable<unknown>;
  /** Like `readRows`, but cached until a write to one of the tables. Callers must not change the rows. */
  readCachedRows(sql: string, values: readonly unknown[]): unknown[];
  /** Returns rows as arrays, because for many rows, arrays take half as long as objects. */
  readTuples(sql: string, values: readonly unknown[]): unknown[][];
  /** @returns the number of changed rows */
  executeWrite(sql: string, values: readonly unknown[]): number;
  insertLater(table: DeferredTable, row: object): void;
}

export function getDirectSqliteAccess(executor: Executor): DirectSqliteAccess | undefined {
  const { adapter } = executor.getExecutor();
  return adapter instanceof DirectSqliteAdapter ? adapter.direct : undefined;
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #direct: DirectSqliteAccess;

  constructor(database: DatabaseSync) {
    const cache = createResultCache();
    const deferredInserts = createDeferredInserts(cacheStatements((sql) => database.prepare(sql)));
    const prepare = (sql: string) => prepareStatement(database, sql, cache, deferredInserts);
    const onRollback = () => {
      cache.forget();
      deferredInserts.drop();
    };
    super({ database: withStatementCache(database, prepare, onRollback) });
    this.#direct = createDirectSqliteAccess(database, prepare, cache, deferredInserts);
  }

  override createAdapter(): SqliteAdapter {
    return new DirectSqliteAdapter(this.#direct);
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new RecompilationAvoidingCompiler();
  }
}

/** Writes `limit ? + 0`, because for `limit ?`, SQLite would recompile the statement each time. */
class RecompilationAvoidingCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}

class DirectSqliteAdapter extends SqliteAdapter {
  readonly direct: DirectSqliteAccess;

  constructor(direct: DirectSqliteAccess) {
    super();
    this.direct = direct;
  }

  /** Tells Kysely to roll back a failed migration. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Results are never outdated, because only this process writes, and all its writes call `forget`. */
type ResultCache = ReturnType<typeof createResultCache>;

const MAX_CACHED_RESULTS = 10_000;

function createResultCache() {
  const results = new Map<string, Map<string, unknown[]>>();
  let size = 0;
  return {
    getOrQuery(sql: string, values: readonly unknown[], query: () => unknown[]): unknown[] {
      if (size >= MAX_CACHED_RESULTS) this.forget();
      const known = results.get(sql) ?? new Map<string, unknown[]>();
      if (known.size === 0) results.set(sql, known);
      // No stored text contains a NUL character.
      const key = values.join('\0');
      let rows = known.get(key);
      if (rows === undefined) {
        rows = query();
        known.set(key, rows);
        size++;
      }
      return rows;
    },
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

const READ_STATEMENT = /^\s*(?:select|begin|commit)\b/i;
/**
 * Matches writes that change only the named table. Does not match deletions, which may also change tables that refer to the named table.
 */
const WRITE_STATEMENT = /^\s*(?:insert into|update) ("\w+")/;

type Prepare = (sql: string) => ReturnType<typeof prepareStatement>;

/** Each execution first inserts the rows that the statement needs (deferred-inserts.ts) and removes outdated cached results. */
function prepareStatement(database: DatabaseSync, sql: string, cache: ResultCache, deferredInserts: DeferredInserts) {
  const statement = database.prepare(sql);
  const mayWrite = !READ_STATEMENT.test(sql);
  const table = WRITE_STATEMENT.exec(sql)?.[1];
  const insertsRows = needsDeferredRows(sql);
  const prepareExecution = (values: readonly unknown[]): SQLInputValue[] => {
    if (insertsRows) deferredInserts.insert();
    if (mayWrite) cache.forget(table);
    return values as SQLInputValue[];
  };
  return {
    statement,
    all: (values: readonly unknown[]) => statement.all(...prepareExecution(values)),
    run: (values: readonly unknown[]) => statement.run(...prepareExecution(values)),
    iterate: (values: readonly unknown[]) => statement.iterate(...prepareExecution(values)),
  };
}

function createDirectSqliteAccess(
  database: DatabaseSync,
  prepareStatement: Prepare,
  cache: ResultCache,
  deferredInserts: DeferredInserts,
): DirectSqliteAccess {
  const prepare = cacheStatements(prepareStatement);
  const prepareTuples = cacheStatements((sql) => {
    const prepared = prepareStatement(sql);
    prepared.statement.setReturnArrays(true);
    return prepared;
  });
  return {
    get inTransaction() {
      return database.isTransaction;
    },
    readRows: (sql, values) => prepare(sql).all(values),
    iterateRows: (sql) => prepare(sql).iterate([]),
    readCachedRows: (sql, values) => cache.getOrQuery(sql, values, () => prepare(sql).all(values)),
    readTuples: (sql, values) => prepareTuples(sql).all(values) as unknown as unknown[][],
    executeWrite: (sql, values) => Number(prepare(sql).run(values).changes),
    insertLater: (table, row) => {
      cache.forget(`"${table}"`);
      deferredInserts.add(table, row);
    },
  };
}

function withStatementCache(database: DatabaseSync, prepareStatement: Prepare, onRollback: () => void): SqliteDatabase {
  const prepare = cacheStatements((sql): SqliteStatement => {
    const { statement, ...execute } = prepareStatement(sql);
    return { reader: statement.columns().length > 0, ...execute };
  });
  return {
    close: () => database.close(),
    // Some errors make SQLite roll back. A second rollback would fail and hide the error, so `select 1` is executed instead.
    prepare(sql) {
      if (sql === 'rollback') onRollback();
      return prepare(sql === 'rollback' && !database.isTransaction ? 'select 1' : sql);
    },
  };
}

function cacheStatements<S>(prepare: (sql: string) => S): (sql: string) => S {
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
