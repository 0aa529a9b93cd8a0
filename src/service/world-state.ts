import { type Clock, offsetAfter } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Executor } from '../store/engine.ts';
import { readMeta, writeMeta } from '../store/meta.ts';
import type { Store } from '../store/store.ts';

/**
 * What is true of the whole world at this moment and cheap to ask at every request: its name, and a version that is another one whenever something
 * changed that caches rest on (clients, principals, the world itself). With several replicas both live in the database, as does kit time.
 */
export interface WorldState {
  readonly name: string;
  readonly version: string;
  /** Takes over what other replicas did. Undefined where there are none: then nothing is waited for. */
  refresh(): Promise<void> | undefined;
  /** Reads everything anew: after a load, or a change that was marked. */
  reload(): Promise<void>;
  /** Marks a change, in the transaction that makes it; `reload` after the commit. */
  changed(tx: Executor): Promise<void>;
  /** @throws RangeError where kit time cannot be moved forward by so much. */
  mayAdvance(ms: number): void;
  /** Moves kit time forward, for all replicas. @throws RangeError where that is too far; then nothing has changed. */
  advance(ms: number): Promise<void>;
  /** Another world is loaded in this transaction: kit time starts from wall time, or as far ahead as is said. `reload` after the commit. */
  restarted(tx: Executor, offset?: number): Promise<void>;
}

const VERSION = 'version';
const CLOCK_OFFSET = 'clock-offset';

export async function createWorldState(store: Store, clock: Clock, ids: Ids): Promise<WorldState> {
  let name = '';
  let version = '';

  async function reload(): Promise<void> {
    const meta = await readMeta(store.db);
    name = meta.get('world') ?? '';
    version = meta.get(VERSION) ?? '';
    clock.load(Number(meta.get(CLOCK_OFFSET) ?? 0));
  }

  await reload();
  return {
    get name() {
      return name;
    },
    get version() {
      return version;
    },
    refresh: () => (store.engine === 'postgres' ? reload() : undefined),
    reload,
    changed: (tx) => writeMeta(tx, VERSION, ids.uuid()),
    mayAdvance: (ms) => void offsetAfter(clock.offset, ms),
    async advance(ms) {
      await store.write(async (tx) => {
        // Written first, so that a second replica waits here and adds to the sum, not beside it.
        await writeMeta(tx, VERSION, ids.uuid());
        const offset = Number((await readMeta(tx)).get(CLOCK_OFFSET) ?? 0);
        await writeMeta(tx, CLOCK_OFFSET, String(offsetAfter(offset, ms)));
      });
      await reload();
    },
    async restarted(tx, offset = 0) {
      await writeMeta(tx, VERSION, ids.uuid());
      await writeMeta(tx, CLOCK_OFFSET, String(offsetAfter(0, offset)));
    },
  };
}
