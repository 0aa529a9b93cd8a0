import { type Clock, offsetAfter } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Executor } from '../store/engine.ts';
import { CLOCK_OFFSET, LOAD, readWorldMeta, VERSION, WORLD, writeMeta } from '../store/meta.ts';
import type { Store } from '../store/store.ts';

/**
 * The current world: its name, and a version that changes with everything that caches depend on (clients, principals, the world itself). Cheap to
 * read in every request. All replicas share these values and kit time through the database.
 */
export interface WorldState {
  readonly name: string;
  readonly version: string;
  /** An id of the last load or reset, which differs even if the world is the same. */
  readonly load: string;
  /** Reads the changes of other replicas. Undefined on SQLite, which has none, so that nothing is awaited. */
  refresh(): Promise<void> | undefined;
  /** Reads everything again, after `changed`, `loaded` or `restarted`. */
  reload(): Promise<void>;
  /** To be called in the transaction that changes what caches depend on, and `reload` after the commit. */
  changed(tx: Executor): Promise<void>;
  /**
   * Moves kit time forward, for all replicas.
   *
   * @param seen what the caller expects the world to be.
   * @returns false if another world was loaded or kit time was moved since then; nothing changes.
   * @throws RangeError if that is too far; nothing changes.
   */
  advance(ms: number, seen?: SeenWorld): Promise<boolean>;
  /** To be called in a transaction that loads another world together with its kit time, and `reload` after the commit. */
  loaded(tx: Executor): Promise<void>;
  /** Like `loaded`, but kit time restarts at wall time. @param offset how far it is ahead, in milliseconds */
  restarted(tx: Executor, offset?: number): Promise<void>;
}

export interface SeenWorld {
  readonly load?: string;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset?: number;
}

/** Another world was loaded while a request worked on the previous one. */
export class WorldReplaced extends Error {
  override readonly name = 'WorldReplaced';

  constructor() {
    super('Another world was loaded in the meantime.');
  }
}

export async function createWorldState(store: Store, clock: Clock, ids: Ids): Promise<WorldState> {
  let name = '';
  let version = '';
  let load = '';

  async function reload(): Promise<void> {
    const meta = await readWorldMeta(store.db);
    name = meta.get(WORLD) ?? '';
    version = meta.get(VERSION) ?? '';
    load = meta.get(LOAD) ?? '';
    clock.load(Number(meta.get(CLOCK_OFFSET) ?? 0));
  }

  async function loaded(tx: Executor): Promise<void> {
    for (const key of [VERSION, LOAD]) await writeMeta(tx, key, ids.uuid());
  }

  await reload();
  return {
    get name() {
      return name;
    },
    get version() {
      return version;
    },
    get load() {
      return load;
    },
    refresh: () => (store.engine === 'postgres' ? reload() : undefined),
    reload,
    changed: (tx) => writeMeta(tx, VERSION, ids.uuid()),
    async advance(ms, seen = {}) {
      const isMoved = await store.write(async (tx) => {
        // Written first, so that a second replica waits here and adds to the sum, not beside it.
        await writeMeta(tx, VERSION, ids.uuid());
        const meta = await readWorldMeta(tx);
        const offset = Number(meta.get(CLOCK_OFFSET) ?? 0);
        if (seen.load !== undefined && seen.load !== (meta.get(LOAD) ?? '')) return false;
        if (seen.offset !== undefined && seen.offset !== offset) return false;
        await writeMeta(tx, CLOCK_OFFSET, String(offsetAfter(offset, ms)));
        return true;
      });
      await reload();
      return isMoved;
    },
    loaded,
    async restarted(tx, offset = 0) {
      await loaded(tx);
      await writeMeta(tx, CLOCK_OFFSET, String(offsetAfter(0, offset)));
    },
  };
}
