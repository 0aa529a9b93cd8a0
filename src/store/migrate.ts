import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Engine, type Executor, getEngine, type OpenDatabase } from './engine.ts';
import { isLockConflict } from './errors.ts';
import { type Migrations, migrations } from './migrations.ts';

/**
 * The maximum wait for a table lock, in milliseconds. Must be shorter than PostgreSQL's `deadlock_timeout` (one second), so that in a
 * deadlock, PostgreSQL aborts the migration and not a request.
 */
const LOCK_WAIT_MS = 500;
const LOCK_PAUSE_MS = 500;
const LOCK_ATTEMPTS = 120;

/**
 * Runs the missing migrations in one transaction. Other starting processes wait, but processes of the previous version may serve requests
 * (CONTRIBUTING.md: Migrations).
 * @param description the database's name in messages
 * @throws Error if a newer version of the kit has changed the tables
 */
export async function migrate({ db, description, schema }: OpenDatabase, known = migrations): Promise<void> {
  if (schema !== undefined && (await isUpToDate(db, schema, known))) return;
  const steps = Object.entries(known).map(([name, text]): [string, Migration] => [name, { up: (tx) => execute(tx, text) }]);
  const provider = { getMigrations: async () => Object.fromEntries(steps) };
  const error = await runWithoutStatementTimeout(db, async (connection) => {
    for (let attempt = 1; ; attempt++) {
      const { error } = await new Migrator({
        db: connection,
        provider,
        ...(schema !== undefined && { migrationTableSchema: schema }),
      }).migrateToLatest();
      if (attempt === LOCK_ATTEMPTS || !isLockConflict(error)) return error;
      await pause(LOCK_PAUSE_MS);
    }
  });
  if (error === undefined) return;
  // After migrations by a newer kit version, Kysely's message would wrongly say that the migrations are corrupted.
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown === undefined)
    throw new Error(`The tables in ${description} could not be created or updated: ${String(error)}`, { cause: error });
  throw new Error(
    `A newer kit version has changed the tables in ${description} (with migration ${unknown}, which this version does not know). ` +
      'Use that version or a later version, or store the world in another file or database.',
  );
}

/** Kysely's migrator would first read the columns of all schemas in the database. */
async function isUpToDate(db: Executor, schema: string, known: Migrations): Promise<boolean> {
  const table = sql.table(`${schema}.kysely_migration`);
  const reading = sql<{ name: string }>`select name from ${table}`.execute(db);
  // In a new database, there is no such table. Any other error occurs again.
  const { rows } = await reading.catch(() => ({ rows: [] }));
  return rows.length === Object.keys(known).length && rows.every(({ name }) => Object.hasOwn(known, name));
}

/** Returns the statements that create all tables in a new schema, in the state after all migrations. */
export function createSchemaSql(schema: string, known: Migrations): string {
  const steps = Object.entries(known).map(
    ([name, migration]) => `${toStatements(migration, 'postgres')};
    insert into kysely_migration values ('${name}', '${new Date().toISOString()}');`,
  );
  return `create schema "${schema}"; ${MIGRATION_TABLES} ${steps.join('\n')}`;
}

/** As Kysely's migrator creates them. */
const MIGRATION_TABLES = `create table kysely_migration (name varchar(255) not null primary key, "timestamp" varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
  insert into kysely_migration_lock values ('migration_lock', 0);`;

/** Calls `work` without a statement timeout, because migrations, and waiting for them, can take long. */
async function runWithoutStatementTimeout<T>(db: Executor, work: (connection: Executor) => Promise<T>): Promise<T> {
  if (getEngine(db) === 'sqlite') return work(db);
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ before: string }>`select current_setting('statement_timeout') as before`.execute(connection);
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      return await work(connection);
    } finally {
      // If this fails, the connection is broken and will not be reused, so the error does not matter.
      await sql`select set_config('statement_timeout', ${rows[0]!.before}, false)`.execute(connection).catch(() => {});
    }
  });
}

async function execute(tx: Executor, migrationSql: Migrations[string]): Promise<void> {
  const engine = getEngine(tx);
  if (engine === 'postgres') await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(tx);
  for (const statement of toStatements(migrationSql, engine).split(/;\n?/))
    if (statement.trim() !== '') await sql.raw(statement).execute(tx);
}

/**
 * Returns SQL that works on the engine. The SQL may use the column type `instant`, in milliseconds. Constraint names must have the format
 * `table:column,column` (see `findUniqueViolation`) and at most 63 characters, PostgreSQL's limit.
 */
function toStatements(migrationSql: Migrations[string], engine: Engine): string {
  const text = typeof migrationSql === 'string' ? migrationSql : (migrationSql[engine] ?? '');
  if (engine === 'sqlite') return text.replaceAll('instant', 'integer');
  // Without `collate "C"`, PostgreSQL orders text by a language's rules.
  return text
    .replaceAll(/\btext\b/g, 'text collate "C"')
    .replaceAll('instant', 'bigint')
    .replaceAll('autoincrement', 'generated by default as identity')
    .replaceAll(') strict;', ');');
}
