import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { announce, createChangeFeed, getAnnouncedChanges } from '../changes.ts';
import type { OpenDatabase } from '../engine.ts';
import { groupCommit } from '../group-commit.ts';
import type { Tables } from '../schema.ts';
import { NodeSqliteDialect } from './driver.ts';

/** "xpk1" marks kit data files, so that the kit never changes another program's database. */
const APPLICATION_ID = 0x78706b31;

interface SqliteOptions {
  readonly file?: string | undefined;
  readonly isLarge?: boolean | undefined;
  /** The content of a database in memory, from `serialize`. */
  readonly image?: Uint8Array | undefined;
}

export function openSqlite({ file, isLarge = false, image }: SqliteOptions = {}): OpenDatabase {
  const temporary = file === undefined && isLarge ? openTemporaryFile() : undefined;
  const database = temporary?.database ?? (file === undefined ? openInMemory(image) : openFile(resolve(file), isLarge));
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database) });
  const changes = createChangeFeed();
  const write = groupCommit(async (work) => {
    const committed = await db.transaction().execute(async (tx) => ({ result: await work(tx), announced: getAnnouncedChanges(tx) }));
    changes.report(committed.announced);
    return committed.result;
  });
  return {
    db,
    engine: 'sqlite',
    // Nothing else can write while the callback uses the only connection.
    read: (work) => db.connection().execute(work),
    write,
    // Needs no lock, because writes run one after another.
    async writeExclusively(work) {
      const result = await write((tx) => {
        announce(tx, 'due');
        return work(tx);
      });
      if (file !== undefined && !database.isTransaction) database.exec(USE_WAL);
      return result;
    },
    // On SQLite, rows are committed in the order of their ids, so readers need no upper limit.
    findMinimumFutureId: async () => MAX_ID,
    // One process owns the file.
    replicas: async () => 1,
    changes,
    // Node.js 22 and 24.0 cannot serialize a database.
    ...(file === undefined && !temporary && 'serialize' in database && { serialize: () => database.serialize() }),
    async close() {
      await db.destroy();
      temporary?.remove();
    },
    description: temporary?.description ?? (file === undefined ? 'the in-memory database' : `the data file ${resolve(file)}`),
    check: () => db.selectFrom('meta').select('key').limit(1).execute(),
  };
}

const MAX_ID = '~';
const USE_WAL = 'pragma journal_mode = wal';

function openInMemory(image: Uint8Array | undefined): DatabaseSync {
  // A temporary database ('') would lose writes beyond its cache's size (docs/decisions/0003).
  const database = new (loadSqlite().DatabaseSync)(':memory:');
  // Large sorts then need neither a writable folder nor free disk space.
  if (image) database.deserialize(image);
  database.exec('pragma temp_store = memory; pragma foreign_keys = on');
  return database;
}

/** Opens an ordinary file, because a temporary database ('') would lose writes beyond its cache's size (docs/decisions/0003). */
function openTemporaryFile() {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'xpk-world-'));
  } catch {
    // Without a writable folder, the database is in memory.
    return undefined;
  }
  const database = new (loadSqlite().DatabaseSync)(join(folder, 'world.db'));
  // An exclusive connection keeps the journal open, so that the journal can be removed too.
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = persist; pragma synchronous = off; pragma cache_size = -131072');
  database.exec(`pragma foreign_keys = on; pragma application_id = ${APPLICATION_ID}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Only Windows cannot remove open files. Elsewhere, nothing remains even if the process is killed.
  if (process.platform !== 'win32') remove();
  return { database, remove, description: `the temporary file in ${tmpdir()}` };
}

function openFile(file: string, isLarge: boolean): DatabaseSync {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw createFileError(file, 'it is a folder. Use a file in it instead');
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    throw createFileError(file, `there is no folder ${dirname(file)}. Create the folder first, or use another file`);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new (loadSqlite().DatabaseSync)(file, { timeout: 1000 });
    // Each process caches callers, the clock and cursors, so only one process may use a file.
    database.exec('pragma locking_mode = exclusive');
    const isNew = setApplicationId(file, database);
    // A large world would be written twice with a write-ahead log. The rollback journal only contains pages that existed before the load.
    if (!(isNew && isLarge)) database.exec(USE_WAL);
    database.exec('pragma synchronous = full; pragma cache_size = -65536; pragma foreign_keys = on');
    database.exec('begin immediate; commit');
    return database;
  } catch (error) {
    database?.close();
    throw explainError(file, error);
  }
}

/** @returns whether the file is new */
function setApplicationId(file: string, database: DatabaseSync): boolean {
  const owner = database.prepare('pragma application_id').get()?.application_id;
  if (owner === APPLICATION_ID) return false;
  if (owner !== 0 || database.prepare('select 1 from sqlite_schema').get() !== undefined) {
    throw createFileError(file, "it is another program's SQLite database. Use a file that xpk created, or a file that does not exist");
  }
  database.exec(`pragma application_id = ${APPLICATION_ID}`);
  return true;
}

const NOT_WRITABLE = 'it is not writable. Use a file that this user may read and write, in a folder where this user may create files';
const FILE_PROBLEMS: Readonly<Record<number, string>> = {
  5: 'another process is using it. End that process, or use a PostgreSQL database, which several kits can share',
  8: NOT_WRITABLE,
  14: NOT_WRITABLE,
  26: 'it is not a SQLite database. Use a file that xpk created, or a file that does not exist',
};

function explainError(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error;
  // The low byte is the primary result code.
  return createFileError(
    file,
    FILE_PROBLEMS[Number(error.errcode) & 0xff] ?? `${error.message}. Use another file, or end the process that is using this file`,
  );
}

function createFileError(file: string, reason: string): Error {
  return new Error(`The world cannot be stored in ${file}: ${reason}.`);
}

/** Loads `node:sqlite` without the experimental warning of some Node 24 releases. */
function loadSqlite(): typeof import('node:sqlite') {
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
