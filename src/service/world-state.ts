import { type Clock, offsetAfter } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Executor } from '../store/engine.ts';
import { CLOCK_OFFSET, LOAD, readWorldMeta, VERSION, WORLD, writeMeta } from '../store/meta.ts';
import type { Store } from '../store/store.ts';

/**
 * What is true of the whole world at this moment and cheap to ask at every request: its name, and a version that is another one whenever something
 * changed that caches rest on (clients, principals, the world itself). With several replicas both live in the database, as does kit time.
 */
export interface WorldState {
  readonly name: string;
  readonly version: string;
  /** Which load of a world this is: another one after each reset, also to the same world. */
  readonly load: string;
  /** Takes over what other replicas did. Undefined where there are none: then nothing is waited for. */
  refresh(): Promise<void> | undefined;
  /** Reads everything anew: after a load, or a change that was marked. */
  reload(): Promise<void>;
  /** Marks a change, in the transaction that makes it; `reload` after the commit. */
  changed(tx: Executor): Promise<void>;
  /** @throws RangeError where kit time cannot be moved forward by so much. */
  mayAdvance(ms: number): void;
  /**
   * Moves kit time forward, for all replicas.
   *
   * @returns false where another world is loaded than was seen, or kit time was moved since: then nothing has changed.
   * @throws RangeError where that is too far; then nothing has changed.
   */
  advance(ms: number, seen?: SeenWorld): Promise<boolean>;
  /** Another world is loaded in this transaction, with the kit time that it brings. `reload` after the commit. */
  loaded(tx: Executor): Promise<void>;
  /** Another world is loaded in this transaction: kit time starts from wall time, or as far ahead as is said. `reload` after the commit. */
  restarted(tx: Executor, offset?: number): Promise<void>;
}

/** What somebody knows of the world who is about to change it. */
export interface SeenWorld {
  readonly load?: string;
  /** Of kit time. */
  readonly offset?: number;
}

/** Another world was loaded while something went on in the one before. */
export class WorldReplaced extends Error {
  override readonly name = 'WorldReplaced';

  constructor() {
    super('Another world was loaded meanwhile.');
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
    mayAdvance: (ms) => void offsetAfter(clock.offset, ms),
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
