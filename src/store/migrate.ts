import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { world } from './migrations/0001-world.ts';
import { authorization } from './migrations/0002-authorization.ts';
import { deliveries } from './migrations/0003-deliveries.ts';
import { snapshots } from './migrations/0004-snapshots.ts';
import { deliveryModes } from './migrations/0005-delivery-modes.ts';
import { deliveryHeaders } from './migrations/0006-delivery-headers.ts';
import { pendingDeliveries } from './migrations/0007-pending-deliveries.ts';
import { subscriptionModes } from './migrations/0008-subscription-modes.ts';
import type { Tables } from './schema.ts';

/** Sorted by name. Names never change. A change of the tables is a new file and a line here. */
export const migrations: Record<string, Migration> = {
  '0001-world': world,
  '0002-authorization': authorization,
  '0003-deliveries': deliveries,
  '0004-snapshots': snapshots,
  '0005-delivery-modes': deliveryModes,
  '0006-delivery-headers': deliveryHeaders,
  '0007-pending-deliveries': pendingDeliveries,
  '0008-subscription-modes': subscriptionModes,
};

/**
 * Brings the tables up to date. Several processes may do so at once: one does the work, the others wait.
 *
 * @param description names the database in messages @throws Error if a newer version of the kit has changed the tables
 */
export async function migrate(db: Kysely<Tables>, description: string, known = migrations): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest();
  if (error === undefined) return;
  // The migrator calls this a corrupted database, which would mislead the user.
  await refuseNewer(db, description, known);
  throw new Error(`The tables of ${description} could not be created or updated: ${String(error)}`, { cause: error });
}

async function refuseNewer(db: Kysely<Tables>, description: string, known: Record<string, Migration>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = rows.filter(({ name }) => !Object.hasOwn(known, name)).map(({ name }) => name);
  if (unknown.length === 0) return;
  throw new Error(
    `A newer version of the kit has written to ${description} (it made the changes ${unknown.join(', ')}, which this version does not know). ` +
      'Use that version or a later one, or keep the world somewhere else.',
  );
}
