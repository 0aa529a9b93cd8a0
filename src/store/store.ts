import type { Database, OpenDatabase } from './engine.ts';
import { isUnavailable, StoreBusy, StoreUnavailable } from './errors.ts';
import { writeMeta } from './meta.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { openSqlite } from './sqlite/open.ts';
import type { WorldRecords } from './world-records.ts';

export interface Store extends Database, Directory {
  /** Tests whether the database can be read. If a write has failed, also tests writing. Never throws. */
  health(): Promise<StoreHealth>;
}

interface Directory {
  /** The worlds besides the first one, if replicas share them. Only the first world's store has it. */
  readonly worlds?: WorldRecords;
}

/** `read-only`: writes fail, for example because the disk is full. `busy`: no connection is free. */
type StoreHealth = { readonly status: 'up' } | { readonly status: 'read-only' | 'busy' | 'down'; readonly reason: string };

/** Selects the database. By default, the data is in memory, or for a large world in a temporary file, and is lost after `close`. */
export interface StoreOptions {
  /** A SQLite file's path. A missing file is created. */
  readonly data?: string | undefined;
  /** Whether a large world will be loaded, which would take much memory. */
  readonly isLarge?: boolean | undefined;
  /** The content of another store, from `serialize`. */
  readonly image?: Uint8Array | undefined;
  /** A PostgreSQL URL: `postgres://user:password@host:port/name`. */
  readonly database?: string | undefined;
  /** The maximum number of PostgreSQL connections, without the one for notifications. */
  readonly databaseConnections?: number | undefined;
  /** A database of the first world's directory, instead of one that the other options select. */
  readonly opened?: OpenDatabase | undefined;
}

/**
 * Opens the database and runs missing migrations. If both `data` and `database` are given, opens `database`.
 * @throws Error with a message that names the database, the problem and a correction
 */
export async function openStore(
  { data, isLarge, image, database, databaseConnections, ...given }: StoreOptions = {},
  known = migrations,
): Promise<Store> {
  let opened: (OpenDatabase & Directory) | undefined = given.opened;
  if (opened === undefined && database !== undefined) {
    // Most kits use SQLite, so the PostgreSQL driver is imported only when needed.
    const { openPostgres } = await import('./postgres/open.ts');
    opened = await openPostgres({ url: database, connections: databaseConnections, known });
  }
  opened ??= openSqlite({ file: data, isLarge, image });
  try {
    if (image === undefined) await migrate(opened, known);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return addHealth(opened);
}

/** The trial write's key and value. The value is large, so that the write also fails on an almost full disk. */
const TRIAL_ROW = ['trial-write', 'x'.repeat(16_384)] as const;

function addHealth({ description, check, ...database }: OpenDatabase & Directory): Store {
  // Only `tryWriting` resets this flag, because other writes can succeed without reaching the disk.
  let writeFailed = false;

  async function tryWriting(): Promise<void> {
    await database.write((tx) => writeMeta(tx, ...TRIAL_ROW));
    await database.write((tx) => tx.deleteFrom('meta').where('key', '=', TRIAL_ROW[0]).execute());
    writeFailed = false;
  }

  async function recordWriteFailure<T>(writePromise: Promise<T>): Promise<T> {
    try {
      return await writePromise;
    } catch (error) {
      // `StoreUnavailable` means that the database is unreachable, not read-only.
      if (isUnavailable(error) && !(error instanceof StoreUnavailable)) writeFailed = true;
      throw error;
    }
  }

  return {
    ...database,
    write: (work) => recordWriteFailure(database.write(work)),
    writeExclusively: (work) => recordWriteFailure(database.writeExclusively(work)),
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
