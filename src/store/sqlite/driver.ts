import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { Executor } from '../engine.ts';

const CACHED_STATEMENTS = 1000;

/**
 * Access to the database without Kysely's queue for the only connection. The promises of the queue take several times as long as a small
 * query. Direct access is safe only for queries in a transaction, which has the connection exclusively, and for single reads while no
 * transaction is open.
 */
export interface DirectAccess {
  readonly inTransaction: boolean;
  rows(sql: string, values: readonly unknown[]): unknown[];
  /** Returns each row as an array of its values. For many rows, arrays take half as long as objects. */
  tuples(sql: string, values: readonly unknown[]): unknown[][];
  /** Executes a statement. @returns the number of changed rows */
  change(sql: string, values: readonly unknown[]): number;
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
    super({ database: withStatementCache(database) });
    this.#direct = directAccess(database);
  }

  override createAdapter(): SqliteAdapter {
    return new DirectSqliteAdapter(this.#direct);
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

function directAccess(database: DatabaseSync): DirectAccess {
  const statement = cached((sql) => database.prepare(sql));
  const tupleStatement = cached((sql) => {
    const prepared = database.prepare(sql);
    prepared.setReturnArrays(true);
    return prepared;
  });
  return {
    get inTransaction() {
      return database.isTransaction;
    },
    rows: (sql, values) => statement(sql).all(...(values as SQLInputValue[])),
    tuples: (sql, values) => tupleStatement(sql).all(...(values as SQLInputValue[])) as unknown as unknown[][],
    change: (sql, values) => Number(statement(sql).run(...(values as SQLInputValue[])).changes),
  };
}

function withStatementCache(database: DatabaseSync): SqliteDatabase {
  const prepare = cached((sql): SqliteStatement => {
    const statement = database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...(values as SQLInputValue[])),
      run: (values) => statement.run(...(values as SQLInputValue[])),
      iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
    };
  });
  return {
    close: () => database.close(),
    // After some errors, such as a full disk, SQLite has already rolled back the transaction. A second rollback would fail and hide the
    // first error. In that case, a query without effect replaces the rollback.
    prepare: (sql) => prepare(sql === 'rollback' && !database.isTransaction ? 'select 1' : sql),
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
