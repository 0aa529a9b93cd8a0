import { toMilliseconds } from '../clock/duration.ts';
import { restoreSnapshot } from '../service/snapshots.ts';
import type { WorldState } from '../service/world-state.ts';
import { countEntities } from '../store/counts.ts';
import type { Store } from '../store/store.ts';
import { replaceFaults } from '../world/faults.ts';
import { replaceWorld } from '../world/load.ts';
import { createEmptySeed, type Seed } from '../world/seed.ts';
import type { ControlHandlers } from './handler.ts';
import { refuseReset } from './snapshots.ts';

/** Empties the journal, and keeps settings and snapshots. A reset to a snapshot also restores the snapshot's clock. */
export const resetHandlers: Pick<ControlHandlers, 'reset'> = {
  async reset({ body: { to = 'seed' } }, deps) {
    if (!(await deps.reset(to))) return refuseReset(deps.store.db, to);
    deps.clearRateWindows();
    // Clear the journal, because its requests were sent to the previous world.
    await deps.journal.clear();
    return { status: 200, body: { world: deps.world.name, entities: await countEntities(deps.store.db) } };
  },
};

interface ResetDeps {
  readonly store: Store;
  readonly world: WorldState;
  /** The world, the faults and the clock that a reset restores. */
  readonly seed: Seed;
}

/** Loads worlds. `load` also replaces the world that a reset to `seed` restores. */
export function createLoader({ seed, ...deps }: ResetDeps) {
  let current = seed;
  return {
    /** The world that a reset to `seed` restores. */
    getSeed: () => current,
    reset: (to: string): Promise<boolean> => resetWorld(to, { ...deps, seed: current }),
    async load(next: Seed): Promise<void> {
      await loadSeed(next, deps);
      current = next;
    },
  };
}

/**
 * @param to `seed` (the kit's first world), `empty` (an empty world), or a snapshot's name
 * @returns false if there is no such snapshot
 */
async function resetWorld(to: string, { store, world, seed }: ResetDeps): Promise<boolean> {
  if (to !== 'seed' && to !== 'empty') return restoreSnapshot({ store, world }, to);
  await loadSeed(to === 'seed' ? seed : createEmptySeed(), { store, world });
  return true;
}

export async function loadSeed(
  { rows, faults, advance }: Pick<Seed, 'rows' | 'faults' | 'advance'>,
  { store, world }: Omit<ResetDeps, 'seed'>,
): Promise<void> {
  await store.writeExclusively(async (tx) => {
    await replaceWorld(tx, rows);
    await replaceFaults(tx, faults);
    await world.markRestarted(tx, toMilliseconds(advance));
  });
  await world.reload();
}
