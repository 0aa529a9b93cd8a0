import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { OpenDatabase } from '../engine.ts';
import { groupCommit } from '../group-commit.ts';
import type { Tables } from '../schema.ts';
import { NodeSqliteDialect } from './driver.ts';

/** "xpk1": marks a file as a data file of the kit, so that the database of another program is never changed. */
const APPLICATION_ID = 0x78706b31;

/** Opens a SQLite file. Without one, opens a database in memory that is gone after `close` or with the process. */
export function openSqlite({ file }: { file?: string | undefined } = {}): OpenDatabase {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(file === undefined ? openInMemory() : openFile(resolve(file))) });
  const write = groupCommit((work) => db.transaction().execute(work));
  return {
    db,
    engine: 'sqlite',
    // Holding the only connection keeps out every writer of this process, without the cost of a transaction.
    read: (work) => db.connection().execute(work),
    write,
    // There is only one writer.
    replace: write,
    // Transactions end in the order in which they begin.
    settledBefore: async () => GREATER_THAN_ANY_ID,
    close: () => db.destroy(),
    description: file === undefined ? 'the in-memory database' : `the data file ${resolve(file)}`,
    check: () => db.selectFrom('meta').select('key').limit(1).execute(),
  };
}

const GREATER_THAN_ANY_ID = '~';

function openInMemory(): DatabaseSync {
  // Not SQLite's temporary database (''): it corrupts itself when pages spill from its cache (docs/decisions/0003).
  const database = new (sqlite().DatabaseSync)(':memory:');
  // Large sorts stay in memory, too: the store needs neither a writable folder nor free disk space.
  database.exec('pragma temp_store = memory; pragma foreign_keys = on');
  return database;
}

function openFile(file: string): DatabaseSync {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw refusal(file, 'it is a folder. Name a file in it');
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    throw refusal(file, `there is no folder ${dirname(file)}. Make the folder first, or name another file`);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new (sqlite().DatabaseSync)(file, { timeout: 1000 });
    // One kit per file: what a kit keeps in memory (callers, clock, cursors) would not follow what another writes.
    database.exec('pragma locking_mode = exclusive');
    markAsOurs(file, database);
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536; pragma foreign_keys = on');
    database.exec('begin immediate; commit');
    return database;
  } catch (error) {
    database?.close();
    throw explain(file, error);
  }
}

function markAsOurs(file: string, database: DatabaseSync): void {
  const owner = database.prepare('pragma application_id').get()?.application_id;
  if (owner === APPLICATION_ID) return;
  if (owner !== 0 || database.prepare('select 1 from sqlite_schema').get() !== undefined) {
    throw refusal(file, 'it is the SQLite database of another program. Name a file that this kit made, or one that does not exist');
  }
  database.exec(`pragma application_id = ${APPLICATION_ID}`);
}

const CANNOT_BE_WRITTEN = 'it cannot be written. Name a file that this user may read and write, in a folder where files may be made';
/** By primary result code: what is wrong, and what to do. */
const CAUSES: Readonly<Record<number, string>> = {
  5: 'another kit, or program, uses it. End that one, or let several kits share a PostgreSQL database',
  8: CANNOT_BE_WRITTEN,
  14: CANNOT_BE_WRITTEN,
  26: 'it is not a SQLite database. Name a file that this kit made, or one that does not exist',
};

function explain(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error;
  // The low byte is the primary result code.
  return refusal(file, CAUSES[Number(error.errcode) & 0xff] ?? `${error.message}. Name another file, or end what holds this one`);
}

function refusal(file: string, reason: string): Error {
  return new Error(`The world cannot be kept in ${file}: ${reason}.`);
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
