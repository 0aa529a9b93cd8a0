import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** The databases that a store can use. */
export type Engine = 'sqlite' | 'postgres';

/** Runs queries: the database itself, one connection of it, or a transaction. Inside a transaction only its own executor may be used. */
export type Executor = Kysely<Tables>;

export function engineOf(executor: Executor): Engine {
  return executor.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Transactions, which each engine has in its own way. */
export interface Database {
  /** For single queries, each in a transaction of its own. Never inside the callback of `read` or `write`: on SQLite that waits forever. */
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  /** Several queries that see one state of the world. Nothing may be written through the executor. */
  read<T>(work: (db: Executor) => Promise<T>): Promise<T>;
  /**
   * One transaction: committed when `work` resolves, rolled back when it throws. `work` runs again after a deadlock or a serialization conflict on
   * PostgreSQL, and on SQLite when another write that shared its transaction threw, so it may change nothing but rows. It holds SQLite's only
   * connection: no I/O in it. A violated constraint makes a PostgreSQL transaction unusable, so catch it around `write`, not inside
   * (`uniqueViolation`, `isForeignKeyViolation`).
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * A `write` that replaces the world: it waits for the writes in progress, and others wait for it. Otherwise, a write that has read the old world could
   * write into the new one. Reads go on and see the old world until the commit.
   */
  replace<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * An id below which no transaction in progress, of any replica, will add a row. Ids sort by the time at which they were made, but transactions do not
   * end in the order in which they begin.
   *
   * @param wall wall time, in milliseconds since the Unix epoch
   */
  settledBefore(wall: number): Promise<string>;
  close(): Promise<void>;
}

export interface OpenDatabase extends Database {
  /** Names the database in messages. Contains no secrets. */
  readonly description: string;
  /** Throws the reason if the database cannot be used. Does not wait for a connection that requests use. */
  check(): Promise<unknown>;
}
