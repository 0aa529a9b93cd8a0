import type { Clock } from '../clock/clock.ts';
import type { Executor } from '../store/engine.ts';
import { tables } from '../store/schema.ts';
import { openStore, type Store } from '../store/store.ts';
import { replaceState, type StateTable } from '../store/world-tables.ts';
import type { WorldState } from './world-state.ts';

export interface LaggingLists {
  readonly store: Store;
  getListDatabase(): Executor | Promise<Executor>;
  /** Closes the copy, not the store. */
  close(): Promise<void>;
}

/** The tables that the list queries read, and the tables to which these refer. */
const COPIED_TABLES = [
  ...['providers', 'experiences', 'experience_grants', 'accounts', 'principals', 'account_grants'],
  ...['assignments', 'connections'],
] as StateTable[];

/**
 * Makes lists lag behind writes (decision `lists.read-model-lag`): lists read a copy of `COPIED_TABLES`, which is renewed when it is older
 * than the lag, or when another world has been loaded.
 */
export async function openLaggingLists(store: Store, clock: Clock, world: Pick<WorldState, 'load'>, lagMs: number): Promise<LaggingLists> {
  if (lagMs === 0) return { store, getListDatabase: () => store.db, close: async () => {} };
  const copy = await openStore();
  let copiedAt = Number.NEGATIVE_INFINITY;
  let copiedLoad = '';
  let renewing = Promise.resolve();

  async function renewIfOld(): Promise<void> {
    const now = clock.now();
    const { load } = world;
    const age = now - copiedAt;
    // After another world was loaded or kit time was set back, the copy is renewed.
    if (load === copiedLoad && age >= 0 && age < lagMs) return;
    const rows: Partial<Record<StateTable, object[]>> = {};
    await store.read(async (db) => {
      // The copy lacks columns that a newer kit version has added to the store.
      for (const table of COPIED_TABLES)
        rows[table] = await db
          .selectFrom(table)
          .select(Object.keys(tables[table]) as never[])
          .execute();
    });
    await copy.write((tx) => replaceState(tx, rows));
    copiedAt = now;
    copiedLoad = load;
  }
  const renew = () => (renewing = renewing.catch(() => {}).then(renewIfOld));

  return {
    store: {
      ...store,
      async write(work) {
        // Renew an old copy before the write, because otherwise the next list would renew it and show the write at once.
        await renew();
        return store.write(work);
      },
    },
    async getListDatabase() {
      await renew();
      return copy.db;
    },
    close: () => copy.close(),
  };
}
