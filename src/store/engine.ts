import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Window } from '../domain/rate.ts';
import type { ChangeFeed } from './changes.ts';
import type { Tables } from './schema.ts';

/** The databases that a store can use. */
export type Engine = 'sqlite' | 'postgres';

/**
 * Runs queries on any connection, on one connection, or in a transaction. Code inside a transaction must use only the transaction's
 * executor.
 */
export type Executor = Kysely<Tables>;

export function getEngine(executor: Executor): Engine {
  return executor.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** A database and its transactions. Each engine implements the transactions differently. */
export interface Database {
  /**
   * Runs single queries, each in its own transaction. Must not be used in a `read` or `write` callback: on SQLite, the query would wait
   * forever for the only connection.
   */
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  /** Runs several queries that see the same snapshot of the database. `work` must not write through the executor. */
  read<T>(work: (db: Executor) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction. The transaction is committed when `work` resolves, and rolled back when `work` throws. `work` can run
   * more than once, so it must change nothing except rows. On PostgreSQL, it runs again after a deadlock or a serialization conflict. On
   * SQLite, it runs again if another write in the same transaction throws. `work` must not wait for I/O, because on SQLite it holds the
   * only connection. A violated constraint makes a PostgreSQL transaction unusable, so catch constraint errors outside `write`
   * (`findUniqueViolation`, `isForeignKeyViolation`).
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Replaces the world in a transaction. A replacement waits for writes in progress, and later writes wait for the replacement. Therefore,
   * no write reads the old world and then changes the new world. Reads do not wait: until the commit, they see the old world.
   */
  replace<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Returns an id below which no open transaction, on any replica, will add a row. Ids sort by creation time, but a transaction with lower
   * ids can end after a transaction with higher ids. Readers of new rows stop at this id, so that they miss no row.
   * @param wall wall time, in milliseconds since the Unix epoch
   */
  findSafeIdLimit(wall: number): Promise<string>;
  /** Counts the processes that use the database and share its world. */
  replicas(): Promise<number>;
  readonly changes: ChangeFeed;
  /**
   * The number of used and idle connections to the database server, and the number of requests that wait for a connection. Undefined on
   * SQLite.
   */
  readonly connections?: () => Readonly<Record<'used' | 'idle' | 'waiting', number>>;
  /** The rate windows that all replicas share. Undefined on SQLite, where the only process keeps its rate windows in memory. */
  readonly rates?: SharedRateLimits;
  close(): Promise<void>;
}

export interface SharedRateLimits {
  /**
   * Counts a credential's request.
   * @param credential a string with the limit's name and the caller's credential
   * @returns 0 if the request passes; otherwise the milliseconds until the next request may pass
   */
  take(credential: string, terms: RateTerms): Promise<number>;
}

export interface RateTerms {
  /** The load id. Each load of a world starts with new windows. */
  readonly load: string;
  /** Kit time minus wall time, in milliseconds. */
  readonly offset: number;
  /** The number of requests per second. */
  readonly limit: number;
  readonly window: Window;
}

export interface OpenDatabase extends Database {
  /** The database's name in messages. It contains no secrets. */
  readonly description: string;
  /**
   * Throws an error with the reason if the database cannot be used. On PostgreSQL, uses a separate connection, not one from the request
   * pool.
   */
  check(): Promise<unknown>;
}
