import { milliseconds } from './clock/duration.ts';
import type { Faults } from './http/faults.ts';
import { restoreSnapshot } from './service/snapshots.ts';
import type { WorldState } from './service/world-state.ts';
import type { Store } from './store/store.ts';
import { replaceWorld } from './world/load.ts';
import { emptyRows, type Seed } from './world/seed.ts';

interface Resettable {
  readonly store: Store;
  readonly world: WorldState;
  readonly faults: Faults;
  /** What the kit was started with. */
  readonly seed: Seed;
}

/** Replaces the world by the one the kit was started with (`seed`), by none (`empty`), or by a snapshot. @returns false where there is none of this name */
export async function resetWorld(to: string, { store, world, faults, seed }: Resettable): Promise<boolean> {
  if (to !== 'seed' && to !== 'empty') {
    const restored = await restoreSnapshot({ store, world }, to);
    if (restored) faults.clear();
    return restored;
  }
  const start = to === 'seed' ? seed : { rows: emptyRows(), faults: [], advance: 0, name: 'empty' };
  await store.replace(async (tx) => {
    await replaceWorld(tx, start.rows);
    await world.restarted(tx, milliseconds(start.advance));
  });
  await world.reload();
  setFaults(faults, start);
  return true;
}

/** Only the faults of the start. */
export function setFaults(faults: Faults, { name, faults: requested }: Pick<Seed, 'name' | 'faults'>): void {
  faults.clear();
  for (const request of requested) {
    const added = faults.add(request);
    if ('reason' in added) throw new Error(`${name}: a fault cannot be set: ${added.reason}`);
  }
}
