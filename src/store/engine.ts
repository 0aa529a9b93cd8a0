import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Window } from '../domain/rate.ts';
import type { ChangeFeed } from './changes.ts';
import type { Tables } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** Code in a transaction must use only the transaction's executor. */
export type Executor = Kysely<Tables>;

export function getEngine(executor: Executor): Engine {
  return executor.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

export interface Database {
  /** Runs each query in its own transaction. Do not use it inside `read` or `write`, because the query would wait forever on SQLite. */
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  /** The PostgreSQL schema with the tables. */
  readonly schema?: string;
  /** Runs queries on one snapshot of the database. `work` must not write. */
  read<T>(work: (db: Executor) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction, and rolls it back if `work` rejects. `work` can run more than once, so it must change nothing except
   * rows. It must not wait for I/O, because on SQLite it holds the only connection. It must not catch constraint errors, because they make
   * a PostgreSQL transaction unusable.
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Replaces the world in a transaction. Writes wait, so that no write mixes two worlds. Reads see the old world until the commit. */
  writeExclusively<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Returns an id below which no replica will add a row, so that a reader who stops at this id misses no row.
   * @param wallClockMs wall time, in milliseconds
   */
  findMinimumFutureId(wallClockMs: number): Promise<string>;
  replicas(): Promise<number>;
  readonly changes: ChangeFeed;
  /** Returns the whole content, for `StoreOptions.image`. Undefined unless the data is in memory. */
  readonly serialize?: () => Uint8Array;
  /** The connections to the server, and the requests waiting for a connection. Undefined on SQLite. */
  readonly connections?: () => Readonly<Record<'used' | 'idle' | 'waiting', number>>;
  /** The rate windows that replicas share. Undefined on SQLite, which has only one process. */
  readonly rates?: SharedRateLimits;
  close(): Promise<void>;
}

export interface SharedRateLimits {
  /**
   * Counts a request. Returns the milliseconds to wait, or 0 if the request passes.
   * @param credential the limit's name, and the id of the client or of its access token
   */
  take(credential: string, parameters: RateParameters): Promise<number>;
}

export interface RateParameters {
  /** An id that changes when a world is loaded, which starts new rate windows. */
  readonly load: string;
  /** Kit time minus wall time, in milliseconds. */
  readonly offset: number;
  readonly limit: number;
  readonly window: Window;
}

export interface OpenDatabase extends Database {
  /** The database's name in messages, without secrets. */
  readonly description: string;
  /** Throws an error if the database cannot be used. On PostgreSQL, does not use the pool. */
  check(): Promise<unknown>;
}
