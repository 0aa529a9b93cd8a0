import { type Kysely, PostgresAdapter } from 'kysely';
import type { Tables } from './schema.ts';

/** The databases that a store can stand on. */
export type Engine = 'sqlite' | 'postgres';

/** What runs queries: the database itself, one connection of it, or a transaction. Inside a transaction only its own executor may be used. */
export type Executor = Kysely<Tables>;

/** Which engine an executor speaks to. */
export function engineOf(executor: Executor): Engine {
  return executor.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** An engine that was opened, and words for messages that say which. */
export interface OpenDatabase {
  db: Kysely<Tables>;
  where: string;
  /** Throws why the database cannot be used. Never waits for a connection that requests use. */
  check(): Promise<unknown>;
}
