import type { components } from '../contract/generated/control.ts';
import { releaseAllClaims } from '../store/claims.ts';
import { countEntities } from '../store/counts.ts';
import type { Executor } from '../store/engine.ts';
import { deleteFaults } from '../store/faults.ts';
import { readWorldMeta, WORLD_KEY } from '../store/meta.ts';
import type { Store } from '../store/store.ts';
import { readState, replaceState, type StateRows } from '../store/world-tables.ts';
import type { WorldState } from './world-state.ts';

/** Begins the names of the snapshots that the kit saves itself. No other snapshot's name contains this character. */
export const AUTOMATIC_PREFIX = ':';

export type Snapshot = components['schemas']['Snapshot'];

/**
 * @param now kit time, in milliseconds
 * @returns `created` is false if the snapshot replaced another
 */
export async function saveSnapshot(store: Store, name: string, now: number): Promise<{ snapshot: Snapshot; created: boolean }> {
  // A read-only transaction is consistent and does not block writers.
  const { snapshot, content } = await store.read(async (db) => {
    const savedAt = new Date(now).toISOString();
    const world = (await readWorldMeta(db)).get(WORLD_KEY) ?? '';
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

export async function listSnapshots(db: Executor): Promise<Snapshot[]> {
  const rows = await db
    .selectFrom('snapshots')
    .select(['name', 'saved_at', 'world', 'entities'])
    .where('name', 'not like', `${AUTOMATIC_PREFIX}%`)
    .orderBy('name')
    .execute();
  return rows.map(({ name, saved_at, world, entities }) => ({
    name,
    savedAt: saved_at,
    world,
    entities: JSON.parse(entities) as Snapshot['entities'],
  }));
}

/** @returns false if there is no snapshot with this name */
export async function removeSnapshot(store: Store, name: string): Promise<boolean> {
  // PostgreSQL rejects NUL characters.
  if (name.includes('\0') || name.startsWith(AUTOMATIC_PREFIX)) return false;
  const [result] = await store.write((tx) => tx.deleteFrom('snapshots').where('name', '=', name).execute());
  return (result?.numDeletedRows ?? 0n) > 0n;
}

/** Restores a snapshot's state and kit time, and removes all faults. @returns false if there is no such snapshot */
export async function restoreSnapshot({ store, world }: { store: Store; world: WorldState }, name: string): Promise<boolean> {
  const restored = await store.writeExclusively(async (tx) => {
    const saved = await tx.selectFrom('snapshots').select('content').where('name', '=', name).executeTakeFirst();
    if (saved === undefined) return false;
    await restoreRows(tx, JSON.parse(saved.content) as StateRows, world);
    return true;
  });
  if (restored) await world.reload();
  return restored;
}

/** Replaces the state with that of another world, or of another time. Must be called in `store.writeExclusively`, and `world.reload` after it. */
export async function restoreRows(tx: Executor, rows: StateRows, world: Pick<WorldState, 'markLoaded'>): Promise<void> {
  await replaceState(tx, rows);
  // Releases the claims of attempts that were in flight when the rows were read.
  await releaseAllClaims(tx, {});
  await deleteFaults.executeWrite(tx, {});
  // Caches may contain newer values than the rows.
  await world.markLoaded(tx);
}
