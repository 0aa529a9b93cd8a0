import { milliseconds } from '../clock/duration.ts';
import type { components } from '../contract/generated/control.ts';
import type { Faults } from '../http/faults.ts';
import { restoreSnapshot } from '../service/snapshots.ts';
import type { WorldState } from '../service/world-state.ts';
import { countEntities } from '../store/counts.ts';
import type { Store } from '../store/store.ts';
import { replaceWorld } from '../world/load.ts';
import { emptySeed, type Seed } from '../world/seed.ts';
import type { ControlHandlers } from './handler.ts';
import { refuseReset } from './snapshots.ts';

/**
 * POST /_control/reset. A reset empties the journal, and keeps the settings and the snapshots. A reset to a snapshot also restores the
 * clock of the snapshot.
 */
export const reset: Pick<ControlHandlers, 'reset'> = {
  async reset({ body }, deps) {
    const { to } = body as components['schemas']['Reset'];
    if (!(await deps.reset(to))) return refuseReset(deps.store.db, to);
    deps.forget();
    // The journal entries describe requests to the previous world.
    deps.journal.clear();
    return { status: 200, body: { world: deps.world.name, entities: await countEntities(deps.store.db) } };
  },
};

interface Resettable {
  readonly store: Store;
  readonly world: WorldState;
  readonly faults: Faults;
  /** The world, faults and clock that the kit started with. */
  readonly seed: Seed;
}

/**
 * Replaces the world.
 * @param to `seed` for the world that the kit started with, `empty` for no entities, or the name of a snapshot
 * @returns false if there is no such snapshot
 */
export async function resetWorld(to: string, { store, world, faults, seed }: Resettable): Promise<boolean> {
  if (to !== 'seed' && to !== 'empty') {
    const restored = await restoreSnapshot({ store, world }, to);
    if (restored) faults.clear();
    return restored;
  }
  await startFrom(to === 'seed' ? seed : emptySeed(), { store, world, faults });
  return true;
}

/** Replaces the world, the faults and the clock by those of a seed. */
export async function startFrom(start: Seed, { store, world, faults }: Omit<Resettable, 'seed'>): Promise<void> {
  await store.replace(async (tx) => {
    await replaceWorld(tx, start.rows);
    await world.restarted(tx, milliseconds(start.advance));
  });
  await world.reload();
  setFaults(faults, start);
}

/** Replaces all faults by the faults of the seed. */
export function setFaults(faults: Faults, { name, faults: requested }: Pick<Seed, 'name' | 'faults'>): void {
  faults.clear();
  for (const request of requested) {
    const added = faults.add(request);
    if ('reason' in added) throw new Error(`${name}: a fault cannot be set: ${added.reason}`);
  }
}
