import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Executor, engineOf } from './engine.ts';
import { world } from './migrations/0001-world.ts';
import { later } from './migrations/later.ts';
import type { Tables } from './schema.ts';

/** The SQL of each migration by name. The migrations run in this order. The name and the SQL of a released migration must never change. */
export const migrations: Readonly<Record<string, string>> = { '0001-world': world, ...later };

/**
 * Runs the migrations that the database does not have yet. If several processes call this at once, one process runs the migrations, and the
 * others wait.
 * @param description the name of the database in messages
 * @throws Error if a newer version of the kit has changed the tables
 */
export async function migrate(db: Kysely<Tables>, description: string, known = migrations): Promise<void> {
  const steps = Object.entries(known).map(([name, text]): [string, Migration] => [name, { up: (tx) => execute(tx, text) }]);
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } }).migrateToLatest();
  if (error === undefined) return;
  // If a newer version of the kit has changed the tables, Kysely reports a corrupted database. That message would mislead the user.
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown === undefined)
    throw new Error(`The tables of ${description} could not be created or updated: ${String(error)}`, { cause: error });
  throw new Error(
    `A newer version of the kit has changed the tables of ${description} (with the migration ${unknown}, which this version does not know). ` +
      'Use that version or a later one, or store the world in another file or database.',
  );
}

/**
 * Executes statements in SQL that works on both engines. Columns of type `text` are ordered by their UTF-8 bytes. The type `instant` is an
 * integer: milliseconds since the Unix epoch. Constraints must have names of the form `table:column,column`, because `uniqueViolation`
 * reads these names. A name must have at most 63 characters, because PostgreSQL truncates longer names.
 */
async function execute(tx: Executor, text: string): Promise<void> {
  const statements =
    engineOf(tx) === 'postgres'
      ? // By default, PostgreSQL orders strings by the rules of a language. It has no `strict` tables, because it always checks types.
        text
          .replaceAll(/\btext\b/g, 'text collate "C"')
          .replaceAll('instant', 'bigint')
          .replaceAll(') strict;', ');')
      : text.replaceAll('instant', 'integer');
  // A migration of a large table may take longer than other statements.
  if (engineOf(tx) === 'postgres') await sql`set local statement_timeout = 0`.execute(tx);
  for (const statement of statements.split(/;\n?/)) if (statement.trim() !== '') await sql.raw(statement).execute(tx);
}
