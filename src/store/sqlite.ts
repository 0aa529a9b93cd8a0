import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import type { Executor, OpenDatabase } from './engine.ts';
import type { Tables } from './schema.ts';

/** "xpk1": marks a file as ours, so that another program's database is never written to. */
const APPLICATION_ID = 0x78706b31;
const CACHED_STATEMENTS = 1000;

/** Opens a SQLite file. Without one, opens a database in memory that is gone after `close` or with the process. */
export function openSqlite({ file }: { file?: string }): OpenDatabase {
  const database = file === undefined ? openInMemory() : openKept(resolve(file));
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new SqliteDriver({ database: withStatementCache(database) }),
      createAdapter: () => new TransactionalSqliteAdapter(directAccess(database)),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  });
  return {
    db,
    where: file === undefined ? 'the in-memory database' : `the data file ${resolve(file)}`,
    check: () => db.selectFrom('meta').select('key').limit(1).execute(),
  };
}

function openInMemory(): DatabaseSync {
  // Not SQLite's temporary database (''): it corrupts itself when pages spill from its cache (docs/decisions/0003).
  const database = new (sqlite().DatabaseSync)(':memory:');
  // Large sorts stay in memory, too: the store needs neither a writable folder nor free disk space.
  database.exec('pragma temp_store = memory; pragma foreign_keys = on');
  return database;
}

function openKept(file: string): DatabaseSync {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw refusal(file, 'it is a folder', 'Name a file in it.');
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    throw refusal(file, `there is no folder ${dirname(file)}`, 'Make the folder first, or name another file.');
  }
  let database: DatabaseSync | undefined;
  try {
    database = new (sqlite().DatabaseSync)(file, { timeout: 1000 });
    // One kit a file: what a kit remembers (callers, clock, cursors) would not follow what another writes.
    database.exec('pragma locking_mode = exclusive');
    claim(file, database);
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536; pragma foreign_keys = on');
    database.exec('begin immediate; commit');
    return database;
  } catch (error) {
    database?.close();
    throw explain(file, error);
  }
}

function claim(file: string, database: DatabaseSync): void {
  const owner = database.prepare('pragma application_id').get()?.application_id;
  if (owner === APPLICATION_ID) return;
  if (owner !== 0 || database.prepare('select 1 from sqlite_schema').get() !== undefined) {
    throw refusal(file, 'it is the SQLite database of another program', 'Name a file that this kit made, or one that does not exist.');
  }
  database.exec(`pragma application_id = ${APPLICATION_ID}`);
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

function explain(file: string, error: unknown): unknown {
  // The low byte is the kind of failure, the rest its detail.
  const kind = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  if (kind === SQLITE_BUSY) {
    return refusal(file, 'another kit, or program, uses it', 'End that one, or let several kits share a PostgreSQL database.');
  }
  if (kind === SQLITE_NOTADB) {
    return refusal(file, 'it is not a SQLite database', 'Name a file that this kit made, or one that does not exist.');
  }
  if (kind === SQLITE_READONLY || kind === SQLITE_CANTOPEN) {
    return refusal(file, 'it cannot be written', 'Name a file that this user may read and write, in a folder where files may be made.');
  }
  return kind === undefined ? error : refusal(file, (error as Error).message, 'Name another file, or end what holds this one.');
}

function refusal(file: string, what: string, remedy: string): Error {
  return new Error(`The world cannot be kept in ${file}: ${what}. ${remedy}`);
}

/** SQLite can undo changes to tables as any other. Kysely does not use it, and would leave half a migration behind, or run one twice at once. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  readonly direct: DirectAccess;

  constructor(direct: DirectAccess) {
    super();
    this.direct = direct;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The database without Kysely's queue for its only connection, whose promises cost several times what a small query does. */
export interface DirectAccess {
  /** Whether some transaction is open: then only its own executor may look at what it wrote. */
  readonly inTransaction: boolean;
  rows(sql: string, values: readonly unknown[]): unknown[];
  /** The rows as values in the order of the query: half the cost of objects where there are many. */
  tuples(sql: string, values: readonly unknown[]): unknown[][];
  /** @returns how many rows were changed. */
  change(sql: string, values: readonly unknown[]): number;
}

/** Direct access to the database of an executor; undefined on another engine. */
export function directAccessOf(executor: Executor): DirectAccess | undefined {
  const { adapter } = executor.getExecutor();
  return adapter instanceof TransactionalSqliteAdapter ? adapter.direct : undefined;
}

function directAccess(database: DatabaseSync): DirectAccess {
  const statement = cached((sql) => database.prepare(sql));
  const forTuples = cached((sql) => {
    const prepared = database.prepare(sql);
    prepared.setReturnArrays(true);
    return prepared;
  });
  return {
    get inTransaction() {
      return database.isTransaction;
    },
    rows: (sql, values) => statement(sql).all(...(values as SQLInputValue[])),
    tuples: (sql, values) => forTuples(sql).all(...(values as SQLInputValue[])) as unknown as unknown[][],
    change: (sql, values) => Number(statement(sql).run(...(values as SQLInputValue[])).changes),
  };
}

/** What Kysely asks of a driver. */
function withStatementCache(database: DatabaseSync): SqliteDatabase {
  // A transaction that reads first and writes later can lose to another process half-way; asking for the lock first cannot.
  const prepare = cached((sql) => adapt(database, sql === 'begin' ? 'begin immediate' : sql));
  return {
    close: () => database.close(),
    // After some failures, such as a full disk, SQLite has rolled back by itself. A second rollback would fail, and its error would hide the cause.
    prepare: (sql) => prepare(sql === 'rollback' && !database.isTransaction ? 'select 1' : sql),
  };
}

/** Compiling a statement costs more than running it, so statements are kept by their text, the oldest given up. */
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

function adapt(database: DatabaseSync, sql: string): SqliteStatement {
  const statement: StatementSync = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...(values as SQLInputValue[])),
    run: (values) => statement.run(...(values as SQLInputValue[])),
    // A statement of its own: running a shared one again would restart an iteration that is under way.
    iterate: (values) => database.prepare(sql).iterate(...(values as SQLInputValue[])),
  };
}

/** Some releases of Node 24 warn when the module is loaded. The user can do nothing about it, so that one warning is left out. */
function sqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
