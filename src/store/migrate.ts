import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Engine, type Executor, getEngine } from './engine.ts';
import { isLockConflict } from './errors.ts';
import { worldMigration } from './migrations/0001-world.ts';
import { laterMigrations } from './migrations/later.ts';
import type { Tables } from './schema.ts';

/**
 * SQL for both engines, or for one engine. Only PostgreSQL has tables for state that replicas share. On SQLite, the only process has this
 * state in memory.
 */
type MigrationSql = string | Readonly<Partial<Record<Engine, string>>>;

export type Migrations = Readonly<Record<string, MigrationSql>>;

/** The SQL of each migration by name. The migrations run in this order. The name and the SQL of a released migration must never change. */
export const migrations: Migrations = { '0001-world': worldMigration, ...laterMigrations };

/**
 * The maximum time, in milliseconds, that a migration waits for a table lock. Meanwhile, other replicas' queries on the table also wait.
 * The time must be less than a second: after a second, PostgreSQL resolves a deadlock, possibly by ending a request's transaction.
 */
const LOCK_WAIT_MS = 500;
/** The wall time to wait before the migrations are tried again, in milliseconds, and the maximum number of attempts. */
const LOCK_PAUSE_MS = 500;
const LOCK_ATTEMPTS = 120;

/**
 * Runs the migrations that the database does not have yet, in one transaction. If several processes call this function at once, one process
 * runs the migrations, and the others wait. Replicas of the previous version may serve requests during the migrations (CONTRIBUTING.md:
 * Migrations).
 * @param description the database's name in messages
 * @throws Error if a newer version of the kit has changed the tables
 */
export async function migrate(db: Kysely<Tables>, description: string, known = migrations): Promise<void> {
  const steps = Object.entries(known).map(([name, text]): [string, Migration] => [name, { up: (tx) => execute(tx, text) }]);
  const provider = { getMigrations: async () => Object.fromEntries(steps) };
  const error = await runWithoutStatementTimeout(db, async (connection) => {
    for (let attempt = 1; ; attempt++) {
      const { error } = await new Migrator({ db: connection, provider }).migrateToLatest();
      if (attempt === LOCK_ATTEMPTS || !isLockConflict(error)) return error;
      await pause(LOCK_PAUSE_MS);
    }
  });
  if (error === undefined) return;
  // If a newer kit version has changed the tables, Kysely reports a corrupted database, which would mislead the user.
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown === undefined)
    throw new Error(`The tables in ${description} could not be created or updated: ${String(error)}`, { cause: error });
  throw new Error(
    `A newer kit version has changed the tables in ${description} (with migration ${unknown}, which this version does not know). ` +
      'Use that version or a later version, or store the world in another file or database.',
  );
}

/**
 * Calls `work` with a connection that has no statement timeout, because the migration of a large table may take a long time. Processes that
 * wait for the migration also wait in a statement.
 */
async function runWithoutStatementTimeout<T>(db: Executor, work: (connection: Executor) => Promise<T>): Promise<T> {
  if (getEngine(db) === 'sqlite') return work(db);
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ before: string }>`select current_setting('statement_timeout') as before`.execute(connection);
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      return await work(connection);
    } finally {
      // This statement fails only if the connection is broken, and a broken connection is not reused.
      await sql`select set_config('statement_timeout', ${rows[0]!.before}, false)`.execute(connection).catch(() => {});
    }
  });
}

/**
 * Executes statements in SQL that works on both engines. Columns of type `text` are ordered by their UTF-8 bytes. The type `instant` is an
 * integer: milliseconds since the Unix epoch. Constraints must have names of the form `table:column,column`, because `findUniqueViolation`
 * parses these names. A name must have at most 63 characters, because PostgreSQL truncates longer names.
 */
async function execute(tx: Executor, migrationSql: MigrationSql): Promise<void> {
  const isPostgres = getEngine(tx) === 'postgres';
  const text = typeof migrationSql === 'string' ? migrationSql : (migrationSql[getEngine(tx)] ?? '');
  const statements = isPostgres
    ? // By default, PostgreSQL orders strings by a language's rules. PostgreSQL always checks types and has no `strict` keyword.
      text
        .replaceAll(/\btext\b/g, 'text collate "C"')
        .replaceAll('instant', 'bigint')
        .replaceAll('autoincrement', 'generated by default as identity')
        .replaceAll(') strict;', ');')
    : text.replaceAll('instant', 'integer');
  if (isPostgres) await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(tx);
  for (const statement of statements.split(/;\n?/)) if (statement.trim() !== '') await sql.raw(statement).execute(tx);
}
