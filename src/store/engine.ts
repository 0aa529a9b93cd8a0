import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Window } from '../domain/rate.ts';
import type { ChangeFeed } from './changes.ts';
import type { Tables } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** Runs queries. Code in a transaction must use only the transaction's executor. */
export type Executor = Kysely<Tables>;

export function getEngine(executor: Executor): Engine {
  return executor.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** A database and its transactions. */
export interface Database {
  /** Runs each query in its own transaction. Never use it inside `read` or `write`: on SQLite, the query would wait forever. */
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  /** Runs queries on one snapshot of the database. `work` must not write. */
  read<T>(work: (db: Executor) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction. A rejection rolls the transaction back.
   *
   * `work` may run several times: after a conflict, or on SQLite if a grouped write throws. It must change nothing except rows.
   *
   * `work` must not wait for I/O: on SQLite, it holds the only connection.
   *
   * Catch constraint errors outside `write`: they make a PostgreSQL transaction unusable.
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Replaces the world in a transaction. Writes run entirely before or after it, so no write mixes two worlds. Reads do not wait, and see
   * the old world until the commit.
   */
  replace<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Returns an id below which no replica will add a row. A transaction with higher ids can end first, so readers of new rows must stop
   * here.
   * @param wall wall time, in milliseconds
   */
  findSafeIdLimit(wall: number): Promise<string>;
  /** Counts the processes that share the database. */
  replicas(): Promise<number>;
  readonly changes: ChangeFeed;
  /** The connections to the server, and the requests waiting for one. Undefined on SQLite. */
  readonly connections?: () => Readonly<Record<'used' | 'idle' | 'waiting', number>>;
  /** The rate windows that replicas share. Undefined on SQLite, which has only one process. */
  readonly rates?: SharedRateLimits;
  close(): Promise<void>;
}

export interface SharedRateLimits {
  /**
   * Counts a request.
   * @param credential the limit's name and the caller's credential
   * @returns 0 if the request passes, else milliseconds until one may pass
   */
  take(credential: string, terms: RateTerms): Promise<number>;
}

export interface RateTerms {
  /** Each load of a world starts with new windows. */
  readonly load: string;
  /** Kit time minus wall time, in milliseconds. */
  readonly offset: number;
  /** The number of requests per second. */
  readonly limit: number;
  readonly window: Window;
}

export interface OpenDatabase extends Database {
  /** The database's name in messages, without secrets. */
  readonly description: string;
  /** Throws why the database cannot be used. On PostgreSQL, uses its own connection, not the pool. */
  check(): Promise<unknown>;
}
