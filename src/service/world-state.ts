import { advanceOffset, type Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Executor } from '../store/engine.ts';
import { CLOCK_OFFSET_KEY, LOAD_KEY, readWorldMeta, VERSION_KEY, WORLD_KEY, writeMeta } from '../store/meta.ts';
import type { Store } from '../store/store.ts';

export type WorldState = Awaited<ReturnType<typeof createWorldState>>;

interface ExpectedWorld {
  readonly load?: string;
  /** Kit time minus wall time, in milliseconds. */
  readonly offset?: number;
}

/** Thrown if another world is loaded while kit time is advanced. */
export class WorldReplaced extends Error {
  override readonly name = 'WorldReplaced';

  constructor() {
    super("Another world was loaded while kit time was advanced. The loaded world's kit time was not changed.");
  }
}

/** Cursors, rate windows and caches from before a load are not valid after it. */
export async function markAsLoaded(tx: Executor, ids: Ids): Promise<void> {
  for (const key of [VERSION_KEY, LOAD_KEY]) await writeMeta(tx, key, ids.uuid());
}

/** Every request reads the name and version, so reading must be cheap. */
export async function createWorldState(store: Store, clock: Clock, ids: Ids) {
  let name = '';
  let version = '';
  let load = '';
  let reloadCount = 0;
  let appliedReload = 0;

  /** Call after the commit of `markChanged`, `markLoaded` or `markRestarted`. */
  async function reload(): Promise<void> {
    const number = ++reloadCount;
    const meta = await readWorldMeta(store.db);
    // A reload that began later has read a newer state.
    if (number < appliedReload) return;
    appliedReload = number;
    name = meta.get(WORLD_KEY) ?? '';
    version = meta.get(VERSION_KEY) ?? '';
    load = meta.get(LOAD_KEY) ?? '';
    clock.setOffset(Number(meta.get(CLOCK_OFFSET_KEY) ?? 0));
  }

  /** Call `reload` after the commit. */
  const markLoaded = (tx: Executor) => markAsLoaded(tx, ids);

  await reload();
  return {
    get name(): string {
      return name;
    },
    get version(): string {
      return version;
    },
    get load(): string {
      return load;
    },
    /** Reads other replicas' changes. On SQLite, returns undefined instead of a promise, so that callers need not wait. */
    refresh: (): Promise<void> | undefined => (store.engine === 'postgres' ? reload() : undefined),
    reload,
    /** Gives the world a new version, after a change to clients or principals. Call `reload` after the commit. */
    markChanged: (tx: Executor): Promise<void> => writeMeta(tx, VERSION_KEY, ids.uuid()),
    /**
     * Moves kit time forward on all replicas.
     * @returns false, without a change, if `expected` is outdated
     * @throws RangeError if the advance is too long; kit time does not change
     */
    async advanceKitTime(ms: number, expected: ExpectedWorld = {}): Promise<boolean> {
      const isMoved = await store.write(async (tx) => {
        // Write first, so that other replicas wait for this transaction and then read the new clock offset.
        await writeMeta(tx, VERSION_KEY, ids.uuid());
        const meta = await readWorldMeta(tx);
        const offset = Number(meta.get(CLOCK_OFFSET_KEY) ?? 0);
        if (expected.load !== undefined && expected.load !== (meta.get(LOAD_KEY) ?? '')) return false;
        if (expected.offset !== undefined && expected.offset !== offset) return false;
        await writeMeta(tx, CLOCK_OFFSET_KEY, String(advanceOffset(offset, ms)));
        return true;
      });
      await reload();
      return isMoved;
    },
    markLoaded,
    /** @param offset kit time minus wall time, in milliseconds */
    async markRestarted(tx: Executor, offset = 0): Promise<void> {
      await markLoaded(tx);
      await writeMeta(tx, CLOCK_OFFSET_KEY, String(advanceOffset(0, offset)));
    },
  };
}
