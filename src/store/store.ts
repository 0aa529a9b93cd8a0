import type { Database, OpenDatabase } from './engine.ts';
import { isUnavailable, StoreBusy, StoreUnavailable } from './errors.ts';
import { writeMeta } from './meta.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite/open.ts';

/** Everything that outlives a request, on either engine. */
export interface Store extends Database {
  /** Reads, and after a failed write also writes. Never throws. */
  health(): Promise<StoreHealth>;
}

/**
 * Whether the database can be used. `read-only`: reads work, but the last write failed and a trial write still fails, for example because the disk is full.
 * `busy`: the server answers, but all connections are in use, and the last request for one got none in time.
 */
export type StoreHealth = { readonly status: 'up' } | { readonly status: 'read-only' | 'busy' | 'down'; readonly reason: string };

/** Where a store is kept. By default, in memory: it is gone after `close` or with the process. */
export interface StoreOptions {
  /** Path of a SQLite file, made if it does not exist. */
  readonly data?: string | undefined;
  /** URL of a PostgreSQL database: `postgres://user:password@host:port/name`. */
  readonly database?: string | undefined;
}

/** Opens the database, PostgreSQL if both options are given, and brings its tables up to date. @throws an Error that says what is wrong, where, and what would be right */
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

/** Loads the driver of PostgreSQL only if it is needed: most kits use SQLite. */
async function openDatabase(url: string): Promise<OpenDatabase> {
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres({ url });
}

/** The key and value of the trial write, which needs more room than most requests. */
const TRIAL = ['trial-write', 'x'.repeat(16_384)] as const;

function withHealth({ description, check, ...database }: OpenDatabase): Store {
  // Only a trial write resets this: another transaction may have succeeded because it changed nothing.
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
      // Without a connection, nothing was written.
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
