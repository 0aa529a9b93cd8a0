import { sql } from 'kysely';
import type { components } from '../contract/generated/control.ts';
import type { RunningWorld } from '../running-world.ts';
import { COLLECTION_TABLES } from '../store/counts.ts';
import type { Store } from '../store/store.ts';
import type { WorldRecord } from '../store/world-records.ts';
import { readCollection } from '../world/dump.ts';
import { COLLECTIONS } from '../world/entities.ts';
import { isIdentified } from '../world/world.ts';

type Schemas = components['schemas'];

export function describeWorld(record: WorldRecord, kitUrl: string, hasControl: boolean): Schemas['RunningWorld'] {
  const { name, from, label, world, createdAt, usedAt, idleTimeoutMs } = record;
  const path = `/w/${name}`;
  const url = `${kitUrl}${path}`;
  return {
    ...{ name, from, ...(label !== undefined && { label }), world, path, url, authUrl: `${url}/auth` },
    ...(hasControl && { console: `${url}/_console/` }),
    createdAt: new Date(createdAt).toISOString(),
    usedAt: new Date(usedAt).toISOString(),
    endsAt: new Date(usedAt + idleTimeoutMs).toISOString(),
  };
}

/** Returns what a test needs to use a world. */
export async function readAccess({ store, createReadyMadeTokens }: RunningWorld) {
  const [tokens, clients, ids] = [await createReadyMadeTokens(), await readCollection(store.db, 'clients'), await readIds(store)];
  const credentials = clients.map(({ alias, id, secret, redirectUris = [] }) => [
    alias,
    { id, ...(secret !== undefined && { secret }), redirectUris },
  ]);
  return { tokens: { ...tokens }, clients: Object.fromEntries(credentials), ids };
}

/** Returns the ids of the entities that have an alias. */
async function readIds({ db }: Store): Promise<Record<string, Record<string, string>>> {
  const ids: Record<string, Record<string, string>> = {};
  for (const collection of COLLECTIONS.filter(isIdentified)) {
    const table = sql.table(COLLECTION_TABLES[collection]);
    const { rows } = await sql<{ alias: string; id: string }>`select alias, id from ${table} where alias <> id order by alias`.execute(db);
    ids[collection] = Object.fromEntries(rows.map(({ alias, id }) => [alias, id]));
  }
  return ids;
}
