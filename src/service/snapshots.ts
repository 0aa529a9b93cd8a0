import type { components } from '../contract/generated/control.ts';
import { countEntities } from '../store/counts.ts';
import type { Executor } from '../store/engine.ts';
import { readWorldMeta, WORLD } from '../store/meta.ts';
import type { Store } from '../store/store.ts';
import { readState, replaceState, type StateRows } from '../store/world-tables.ts';
import type { WorldState } from './world-state.ts';

export type Snapshot = components['schemas']['Snapshot'];

/**
 * Saves the whole state under a name: entities, kit time, what the authorization server gave out, events and deliveries.
 *
 * @param now kit time, in milliseconds since the Unix epoch.
 * @returns the snapshot, and whether the name was free.
 */
export async function saveSnapshot(store: Store, name: string, now: number): Promise<{ snapshot: Snapshot; created: boolean }> {
  // Read in a transaction of its own, that sees one state and keeps nobody waiting: PostgreSQL's locks would run into writers under way.
  const { snapshot, content } = await store.read(async (db) => {
    const savedAt = new Date(now).toISOString();
    const world = (await readWorldMeta(db)).get(WORLD) ?? '';
    const read: Snapshot = { name, savedAt, world, entities: await countEntities(db) };
    return { snapshot: read, content: JSON.stringify(await readState(db)) };
  });
  const row = { name, saved_at: snapshot.savedAt, world: snapshot.world, entities: JSON.stringify(snapshot.entities), content };
  return store.write(async (tx) => {
    const before = await tx.selectFrom('snapshots').select('name').where('name', '=', name).executeTakeFirst();
    await tx
      .insertInto('snapshots')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({
          saved_at: ref('excluded.saved_at'),
          world: ref('excluded.world'),
          entities: ref('excluded.entities'),
          content: ref('excluded.content'),
        })),
      )
      .execute();
    return { snapshot, created: before === undefined };
  });
}

/** All snapshots, by name. */
export async function listSnapshots(db: Executor): Promise<Snapshot[]> {
  const rows = await db.selectFrom('snapshots').select(['name', 'saved_at', 'world', 'entities']).orderBy('name').execute();
  return rows.map(({ name, saved_at, world, entities }) => ({
    name,
    savedAt: saved_at,
    world,
    entities: JSON.parse(entities) as Snapshot['entities'],
  }));
}

/** @returns false where there is none of this name. */
export async function removeSnapshot(store: Store, name: string): Promise<boolean> {
  // PostgreSQL refuses a query with a NUL, and no snapshot has a name with one.
  if (name.includes('\0')) return false;
  const [result] = await store.write((tx) => tx.deleteFrom('snapshots').where('name', '=', name).execute());
  return (result?.numDeletedRows ?? 0n) > 0n;
}

/**
 * Makes the state what it was when the snapshot was saved, kit time (its offset from wall time) included. The snapshot stays.
 *
 * @returns false where there is none of this name: then nothing has changed.
 */
export async function restoreSnapshot({ store, world }: { store: Store; world: WorldState }, name: string): Promise<boolean> {
  const restored = await store.replace(async (tx) => {
    const saved = await tx.selectFrom('snapshots').select('content').where('name', '=', name).executeTakeFirst();
    if (saved === undefined) return false;
    await replaceState(tx, JSON.parse(saved.content) as StateRows);
    // An attempt that was under way then is nobody's now: what comes of it belongs to the state that is gone.
    await tx.updateTable('deliveries').set({ claim: null, claimed_until: null }).execute();
    // Not the version of then: what was remembered of it since may not be true.
    await world.loaded(tx);
    return true;
  });
  if (restored) await world.reload();
  return restored;
}
