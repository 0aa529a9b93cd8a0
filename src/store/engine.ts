import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** The databases that a store can use. */
export type Engine = 'sqlite' | 'postgres';

/** Runs queries: on any connection, on one connection, or in a transaction. Inside a transaction only its own executor may be used. */
export type Executor = Kysely<Tables>;

export function engineOf(executor: Executor): Engine {
  return executor.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** A database and its transactions, which work differently in each engine. */
export interface Database {
  /** For single queries, each in its own transaction. Must not be used in the callback of `read` or `write`, where SQLite waits forever. */
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  /** Runs several queries that see the same state of the world. `work` must not write through the executor. */
  read<T>(work: (db: Executor) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when `work` throws.
   *
   * `work` must change nothing but rows, because it can run more than once: on PostgreSQL after a deadlock or a serialization conflict, on
   * SQLite after another write in the same transaction threw. `work` must not wait for I/O, because it uses SQLite's only connection. A
   * violated constraint makes a PostgreSQL transaction unusable, so catch such errors outside of `write` (`uniqueViolation`,
   * `isForeignKeyViolation`).
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * A `write` that replaces the world. It waits for writes in progress, and later writes wait for it, so that no write reads the old world
   * and then changes the new one. Reads do not wait, and see the old world until the commit.
   */
  replace<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Returns an id such that no transaction in progress, on any replica, will add a row with a lower id. Readers of new rows need it,
   * because ids sort by creation time, but transactions can end in another order than they began.
   *
   * @param wall wall time, in milliseconds since the Unix epoch
   */
  settledBefore(wall: number): Promise<string>;
  close(): Promise<void>;
}

export interface OpenDatabase extends Database {
  /** The name of the database in messages. It contains no secrets. */
  readonly description: string;
  /** Throws the reason if the database cannot be used. Does not wait until a connection of the requests becomes free. */
  check(): Promise<unknown>;
}
