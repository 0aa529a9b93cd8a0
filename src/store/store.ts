import type { Database, OpenDatabase } from './engine.ts';
import { isUnavailable, StoreBusy, StoreUnavailable } from './errors.ts';
import { writeMeta } from './meta.ts';
import { migrate, migrations } from './migrate.ts';
import { openSqlite } from './sqlite/open.ts';

/** A kit's SQLite or PostgreSQL database. The store contains all data that outlives a request. */
export interface Store extends Database {
  /** Checks whether the database can be read. After a failed write, also checks whether the database can be written. Never throws. */
  health(): Promise<StoreHealth>;
}

/**
 * The result of a health check. `read-only` means that reads work, but a write and then a trial write failed, for example because the disk
 * is full. `busy` means that the database server responds, but all connections are in use, and the latest request for a connection timed
 * out.
 */
export type StoreHealth = { readonly status: 'up' } | { readonly status: 'read-only' | 'busy' | 'down'; readonly reason: string };

/** Selects the database. By default, the data is in memory and is lost after `close` or when the process ends. */
export interface StoreOptions {
  /** The path of a SQLite file, which is created if it does not exist. */
  readonly data?: string | undefined;
  /** The URL of a PostgreSQL database: `postgres://user:password@host:port/name`. */
  readonly database?: string | undefined;
  /** The maximum number of connections to PostgreSQL, not counting the connection that receives notifications. */
  readonly databaseConnections?: number | undefined;
}

/**
 * Opens the database and runs missing migrations. If both options are given, opens the PostgreSQL database.
 * @throws Error with a message that names the database, the problem and a correction
 */
export async function openStore({ data, database, databaseConnections }: StoreOptions = {}, known = migrations): Promise<Store> {
  const opened = database === undefined ? openSqlite({ file: data }) : await openDatabase(database, databaseConnections);
  try {
    await migrate(opened.db, opened.description, known);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return addHealth(opened);
}

/** Imports the PostgreSQL driver only if a PostgreSQL database is opened, because most kits use SQLite. */
async function openDatabase(url: string, connections?: number): Promise<OpenDatabase> {
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres({ url, connections });
}

/** The key and the value of the trial write. The value is large, so that the trial write fails if the disk is almost full. */
const TRIAL_ROW = ['trial-write', 'x'.repeat(16_384)] as const;

function addHealth({ description, check, ...database }: OpenDatabase): Store {
  // Only a successful trial write sets `writeFailed` to false. Other writes may succeed without writing to the disk.
  let writeFailed = false;

  async function tryWriting(): Promise<void> {
    await database.write((tx) => writeMeta(tx, ...TRIAL_ROW));
    await database.write((tx) => tx.deleteFrom('meta').where('key', '=', TRIAL_ROW[0]).execute());
    writeFailed = false;
  }

  async function noteFailure<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      // `StoreUnavailable` means that the database could not be reached, not that the database is read-only.
      if (isUnavailable(error) && !(error instanceof StoreUnavailable)) writeFailed = true;
      throw error;
    }
  }

  return {
    ...database,
    write: (work) => noteFailure(database.write(work)),
    replace: (work) => noteFailure(database.replace(work)),
    async health() {
      let status: 'read-only' | 'busy' | 'down' = 'down';
      try {
        await check();
        status = 'read-only';
        if (writeFailed) await tryWriting();
        return { status: 'up' };
      } catch (error) {
        if (error instanceof StoreBusy) status = 'busy';
        return {
          status,
          reason: error instanceof StoreUnavailable ? error.message : `Cannot use ${description}: ${(error as Error).message}.`,
        };
      }
    },
  };
}
