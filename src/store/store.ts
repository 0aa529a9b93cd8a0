import type { Database, OpenDatabase } from './engine.ts';
import { isUnavailable, StoreBusy, StoreUnavailable } from './errors.ts';
import { writeMeta } from './meta.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite/open.ts';

/** The database of a kit, on either engine. It stores everything that is needed for longer than one request. */
export interface Store extends Database {
  /** Tests whether the database can be read, and after a failed write also whether it can be written. Never throws. */
  health(): Promise<StoreHealth>;
}

/**
 * Whether the database can be used. `read-only`: reads work, but a write and then a trial write failed, for example because the disk is
 * full. `busy`: the server answers, but all connections are in use, and the latest request for a connection timed out.
 */
export type StoreHealth = { readonly status: 'up' } | { readonly status: 'read-only' | 'busy' | 'down'; readonly reason: string };

/** Where the data of a store is. By default, the data is in memory and is lost after `close` or when the process ends. */
export interface StoreOptions {
  /** The path of a SQLite file, which is created if it does not exist. */
  readonly data?: string | undefined;
  /** The URL of a PostgreSQL database: `postgres://user:password@host:port/name`. */
  readonly database?: string | undefined;
}

/**
 * Opens the database, PostgreSQL if both options are given, and brings its tables up to date.
 *
 * @throws an Error whose message says what is wrong with which database, and what would be right
 */
export async function openStore({ data, database }: StoreOptions = {}): Promise<Store> {
  const opened = database === undefined ? openSqlite({ file: data }) : await openDatabase(database);
  try {
    await migrate(opened.db, opened.description);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return withHealth(opened);
}

/** Loads the driver of PostgreSQL only if it is needed, because most kits use SQLite. */
async function openDatabase(url: string): Promise<OpenDatabase> {
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres({ url });
}

/** The key and value of the trial write. The value is large, so that the write fails if the disk is almost full. */
const TRIAL = ['trial-write', 'x'.repeat(16_384)] as const;

function withHealth({ description, check, ...database }: OpenDatabase): Store {
  // Only a successful trial write sets this to false, because any other write may succeed only because it changes nothing.
  let writeFailed = false;

  async function tryWriting(): Promise<void> {
    await database.write((tx) => writeMeta(tx, ...TRIAL));
    await database.write((tx) => tx.deleteFrom('meta').where('key', '=', TRIAL[0]).execute());
    writeFailed = false;
  }

  async function noticed<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      // `StoreUnavailable` means that there was no connection, which does not show that the database is read-only.
      if (isUnavailable(error) && !(error instanceof StoreUnavailable)) writeFailed = true;
      throw error;
    }
  }

  return {
    ...database,
    write: (work) => noticed(database.write(work)),
    replace: (work) => noticed(database.replace(work)),
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
