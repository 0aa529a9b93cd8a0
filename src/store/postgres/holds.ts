import type pg from 'pg';

/** Begins the keys of the locks. */
const HOLD_LOCK = 0x78706b33;
const KEYS_SQL = `select pg_try_advisory_lock_shared(hashtextextended(schema, ${HOLD_LOCK})) from unnest($1::text[]) as schema`;

/** SQL that waits until no replica uses a schema. */
export const createFreeSchemaLock = (schema: string) => `select pg_advisory_xact_lock(hashtextextended('${schema}', ${HOLD_LOCK}))`;

/**
 * Shows other replicas which schemas this replica uses. The locks belong to the separate connection, so they end with the process.
 * @param query runs a statement on the separate connection
 */
export function createHolds(query: (text: string, values: readonly unknown[]) => Promise<unknown>) {
  const held = new Set<string>();
  return {
    /** If the schema is just being removed, does not wait. The caller must then find out that the world has ended. */
    async take(schema: string): Promise<void> {
      held.add(schema);
      await query(KEYS_SQL, [[schema]]);
    },
    async release(schema: string): Promise<void> {
      if (held.delete(schema)) await query(`select pg_advisory_unlock_shared(hashtextextended($1, ${HOLD_LOCK}))`, [schema]);
    },
    /** Takes the locks again on a new connection. */
    async restore(client: pg.Client): Promise<void> {
      if (held.size > 0) await client.query(KEYS_SQL, [[...held]]);
    },
  };
}
