import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Executor, engineOf } from './engine.ts';
import { world } from './migrations/0001-world.ts';
import { later } from './migrations/later.ts';
import type { Tables } from './schema.ts';

/** The SQL of each change of the tables, in this order. Once released, a name and its SQL never change. */
export const migrations: Readonly<Record<string, string>> = { '0001-world': world, ...later };

/**
 * Brings the tables up to date. Several processes may do so at once: one does the work, the others wait.
 *
 * @param description names the database in messages @throws Error if a newer version of the kit has changed the tables
 */
export async function migrate(db: Kysely<Tables>, description: string, known = migrations): Promise<void> {
  const steps = Object.entries(known).map(([name, text]): [string, Migration] => [name, { up: (tx) => execute(tx, text) }]);
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } }).migrateToLatest();
  if (error === undefined) return;
  // The migrator calls this a corrupted database, which would mislead the user.
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown === undefined)
    throw new Error(`The tables of ${description} could not be created or updated: ${String(error)}`, { cause: error });
  throw new Error(
    `A newer version of the kit has written to ${description} (it made the change ${unknown}, which this version does not know). ` +
      'Use that version or a later one, or keep the world somewhere else.',
  );
}

/**
 * Executes statements that are written for both engines. `text` is ordered by its UTF-8 bytes, and `instant` is in milliseconds since the Unix epoch.
 * Constraints are named `table:column,column`, which errors.ts reads. PostgreSQL truncates names of more than 63 characters.
 */
async function execute(tx: Executor, text: string): Promise<void> {
  const statements =
    engineOf(tx) === 'postgres'
      ? // By default, PostgreSQL orders by the rules of a language. It always checks types, which SQLite does in strict tables.
        text
          .replaceAll(/\btext\b/g, 'text collate "C"')
          .replaceAll('instant', 'bigint')
          .replaceAll(') strict;', ');')
      : text.replaceAll('instant', 'integer');
  for (const statement of statements.split(/;\n?/)) if (statement.trim() !== '') await sql.raw(statement).execute(tx);
}
