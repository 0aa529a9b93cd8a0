import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type LimitNode, SqliteAdapter, SqliteDialect, SqliteQueryCompiler, type SqliteStatement } from 'kysely';
import type { Executor } from '../engine.ts';

const MAX_PREPARED_STATEMENTS = 1000;
/** The maximum number of cached results of one statement. */
const MAX_CACHED_RESULTS = 5_000;

const READ_STATEMENT = /^\s*(?:select|begin|commit)\b/i;
/** Matches writes that change only the named table. Deletions may also change tables that refer to the named table. */
const WRITE_STATEMENT = /^\s*(?:insert into|update) ("\w+")/;

/**
 * Executes SQL directly, because Kysely's connection queue is slow. Call it only in a transaction, or for a single read while no
 * transaction is open.
 */
type DirectSqliteAccess = ReturnType<typeof createDirectAccess>;

export function getDirectSqliteAccess(executor: Executor): DirectSqliteAccess | undefined {
  const { adapter } = executor.getExecutor();
  return adapter instanceof DirectSqliteAdapter ? adapter.direct : undefined;
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #direct: DirectSqliteAccess;

  constructor(database: DatabaseSync) {
    const direct = createDirectAccess(database);
    super({ database: { prepare: direct.prepare, close: () => database.close() } });
    this.#direct = direct;
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

/** A prepared statement for Kysely and for direct calls. */
export class Statement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;
  readonly #sql: string;
  readonly #mayWrite: boolean;
  readonly #results = new Map<string, unknown[]>();
  /** The statements with cached results. Only this process writes, and it removes outdated results before each write. */
  readonly #cached: Set<Statement>;

  constructor(statement: StatementSync, sql: string, cached: Set<Statement>) {
    this.reader = statement.columns().length > 0;
    this.#statement = statement;
    this.#sql = sql;
    this.#mayWrite = !READ_STATEMENT.test(sql);
    this.#cached = cached;
  }

  all(values: readonly unknown[]): unknown[] {
    if (this.#mayWrite) this.forgetResults();
    return this.#statement.all(...(values as SQLInputValue[]));
  }

  run(values: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    if (this.#mayWrite) this.forgetResults();
    return this.#statement.run(...(values as SQLInputValue[]));
  }

  iterate(values: readonly unknown[]): IterableIterator<unknown> {
    if (this.#mayWrite) this.forgetResults();
    return this.#statement.iterate(...(values as SQLInputValue[]));
  }

  /** Returns rows as arrays, because for many rows, arrays take half as long as objects. */
  allTuples(values: readonly unknown[]): unknown[][] {
    this.#statement.setReturnArrays(true);
    try {
      return this.all(values) as unknown[][];
    } finally {
      this.#statement.setReturnArrays(false);
    }
  }

  /** Like `all`, but cached until a write to one of the tables. Callers must not change the rows. */
  allCached(values: readonly unknown[]): unknown[] {
    if (this.#results.size >= MAX_CACHED_RESULTS) this.#results.clear();
    // No stored text contains a NUL character.
    const key = values.join('\0');
    let rows = this.#results.get(key);
    if (rows === undefined) {
      rows = this.all(values);
      this.#results.set(key, rows);
      this.#cached.add(this);
    }
    return rows;
  }

  /** Removes the cached results that this statement can change. */
  forgetResults(): void {
    if (this.#cached.size === 0) return;
    const table = WRITE_STATEMENT.exec(this.#sql)?.[1];
    for (const cached of this.#cached) {
      if (table !== undefined && !cached.#sql.includes(table)) continue;
      cached.#results.clear();
      this.#cached.delete(cached);
    }
  }
}

function createDirectAccess(database: DatabaseSync) {
  const cached = new Set<Statement>();
  const statements = new Map<string, Statement>();

  function prepare(sql: string): Statement {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = new Statement(database.prepare(sql), sql, cached);
      if (statements.size === MAX_PREPARED_STATEMENTS) statements.delete(statements.keys().next().value!);
      statements.set(sql, statement);
    }
    return statement;
  }

  return {
    get inTransaction() {
      return database.isTransaction;
    },
    prepare(sql: string): Statement {
      const statement = prepare(sql);
      if (sql !== 'rollback' || database.isTransaction) return statement;
      // SQLite has already rolled back because of an error. Another rollback would fail and hide that error.
      statement.forgetResults();
      return prepare('select 1');
    },
  };
}
