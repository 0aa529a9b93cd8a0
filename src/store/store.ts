import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Engine, type Executor, engineOf, type OpenDatabase } from './engine.ts';
import { groupCommit } from './group-commit.ts';
import { writeMeta } from './meta.ts';
import { migrate } from './migrate.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { isUnavailable, StoreBusy, StoreUnavailable } from './unavailable.ts';
import { isRetryable } from './violations.ts';

/** Everything that outlives a request, on either engine. */
export interface Store {
  /** For single queries, each its own transaction. Never inside the callback of `read` or `write`: on SQLite that waits forever. */
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  /** Several queries that see one state of the world. Nothing may be written through the executor. */
  read<T>(work: (db: Executor) => Promise<T>): Promise<T>;
  /**
   * One transaction: committed when `work` resolves, rolled back when it throws. `work` runs again when PostgreSQL gives up on a deadlock or a
   * serialization conflict, and on SQLite when a write that shared its transaction threw, so it changes nothing but rows. It holds SQLite's
   * only connection: no I/O in it. A broken constraint spoils a PostgreSQL transaction, so catch it around `write`, not inside
   * (`uniqueViolation`, `isForeignKeyViolation`).
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * A `write` that replaces the world: it waits for the writes under way, and others wait for it. A write that has read the old world could otherwise write
   * into the new one. Reads go on and see the old world until the commit.
   */
  replace<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Reads, and after a failed write also writes. Never throws. */
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
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

const ATTEMPTS = 6;

/** Opens the database, PostgreSQL if both options are given, and brings its tables up to date. Throws an Error that says what is wrong, where, and what would be right. */
export async function openStore({ data, database }: StoreOptions = {}): Promise<Store> {
  const opened = database === undefined ? openSqlite(data === undefined ? {} : { file: data }) : await openDatabase(database);
  try {
    await migrate(opened.db, opened.where);
  } catch (error) {
    await opened.db.destroy();
    throw error;
  }
  return withHealth(database === undefined ? sqliteStore(opened.db) : postgresStore(opened.db), opened);
}

/** The driver is loaded where it is needed: most starts are on SQLite. */
async function openDatabase(url: string): Promise<OpenDatabase> {
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres({ url });
}

type StoreWithoutHealth = Omit<Store, 'health'>;

function sqliteStore(db: Kysely<Tables>): StoreWithoutHealth {
  const write = groupCommit(db);
  return {
    db,
    engine: 'sqlite',
    // Holding the only connection keeps every writer of this process out, without the cost of a transaction.
    read: (work) => db.connection().execute(work),
    write,
    // There is only one writer.
    replace: write,
    close: () => db.destroy(),
  };
}

/** The advisory lock that every write shares, and that the replacement of the world has to itself. Locks of tables and rows would be taken in any order. */
const WORLD_LOCK = 0x78706b31;

function postgresStore(db: Kysely<Tables>): StoreWithoutHealth {
  async function writeAfter<T>(lock: RawBuilder<unknown>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transaction().execute(async (tx) => {
          await lock.execute(tx);
          return work(tx);
        });
      } catch (error) {
        if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
        await pause(2 ** attempt);
      }
    }
  }

  return {
    db,
    engine: 'postgres',
    read: (work) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work) => writeAfter(sql`select pg_advisory_xact_lock_shared(${WORLD_LOCK})`, work),
    replace: (work) => writeAfter(sql`select pg_advisory_xact_lock(${WORLD_LOCK})`, work),
    close: () => db.destroy(),
  };
}

/** The key and value of the trial write, which needs more room than most requests. */
const TRIAL = ['trial-write', 'x'.repeat(16_384)] as const;

function withHealth(store: StoreWithoutHealth, { where, check }: OpenDatabase): Store {
  // Only a trial write resets this: another transaction may have succeeded because it changed nothing.
  let writeFailed = false;

  async function tryWriting(): Promise<void> {
    await store.write((tx) => writeMeta(tx, ...TRIAL));
    await store.write((tx) => tx.deleteFrom('meta').where('key', '=', TRIAL[0]).execute());
    writeFailed = false;
  }

  async function watched<T>(written: Promise<T>): Promise<T> {
    try {
      return await written;
    } catch (error) {
      // Without a connection, nothing was written.
      if (isUnavailable(error) && !(error instanceof StoreUnavailable)) writeFailed = true;
      throw error;
    }
  }

  return {
    ...store,
    write: (work) => watched(store.write(work)),
    replace: (work) => watched(store.replace(work)),
    async health() {
      let status: 'read-only' | 'busy' | 'down' = 'down';
      try {
        await check();
        status = 'read-only';
        if (writeFailed) await tryWriting();
        return { status: 'up' };
      } catch (error) {
        if (error instanceof StoreBusy) status = 'busy';
        return { status, reason: error instanceof StoreUnavailable ? error.message : `Cannot use ${where}: ${(error as Error).message}.` };
      }
    },
  };
}

const accountRow = prepared((db, p: { id: string }) => db.selectFrom('accounts').select('id').where('id', '=', p.id).forUpdate());

/**
 * Serialises the writers of one account to the end of the transaction: what a use case judges (numbers still assigned, a connection that
 * exists) stays true until it has written. SQLite has one writer anyway. An account that does not exist locks nothing.
 *
 * @returns whether there was anything to wait for: what was read before may then be out of date, and is to be read again.
 */
export async function lockAccount(tx: Executor, accountId: string): Promise<boolean> {
  if (engineOf(tx) !== 'postgres') return false;
  await accountRow(tx, { id: accountId });
  return true;
}
