import type { Clock } from '../clock/clock.ts';
import type { Executor } from '../store/engine.ts';
import { openStore, type Store } from '../store/store.ts';
import { replaceState, type StateTable } from '../store/world-tables.ts';

/** A store, and the database from which assignments and connections are listed. */
export interface ListedStore {
  readonly store: Store;
  listed(): Executor | Promise<Executor>;
  /** Closes what was opened in addition to the store. */
  close(): Promise<void>;
}

/** The tables that the queries of the lists read, and those that they refer to. */
const COPIED = [
  ...['providers', 'experiences', 'experience_grants', 'accounts', 'principals', 'account_grants'],
  ...['assignments', 'connections'],
] as StateTable[];

/**
 * Makes the lists of assignments and connections lag behind writes (decision lists.read-model-lag). They are read from a copy of their
 * tables. It is renewed when it is older than the lag, before a list is read and before a write, so that no list shows the write at once.
 */
export async function openListed(store: Store, clock: Clock, lagMs: number): Promise<ListedStore> {
  if (lagMs === 0) return { store, listed: () => store.db, close: async () => {} };
  const copy = await openStore();
  let copiedAt = Number.NEGATIVE_INFINITY;
  let renewing = Promise.resolve();

  async function renewIfOld(): Promise<void> {
    const age = clock.now() - copiedAt;
    // Kit time may have gone back.
    if (age >= 0 && age < lagMs) return;
    copiedAt = clock.now();
    const rows: Partial<Record<StateTable, object[]>> = {};
    await store.read(async (db) => {
      for (const table of COPIED) rows[table] = await db.selectFrom(table).selectAll().execute();
    });
    await copy.replace((tx) => replaceState(tx, rows));
  }
  const renew = () => (renewing = renewing.catch(() => {}).then(renewIfOld));

  return {
    store: {
      ...store,
      async write(work) {
        await renew();
        return store.write(work);
      },
    },
    async listed() {
      await renew();
      return copy.db;
    },
    close: () => copy.close(),
  };
}
