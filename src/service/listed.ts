import type { Clock } from '../clock/clock.ts';
import type { Executor } from '../store/engine.ts';
import { openStore, type Store } from '../store/store.ts';
import { replaceState, type StateTable } from '../store/world-tables.ts';

/** A store, and the database that contains the listed assignments and connections. */
export interface ListedStore {
  readonly store: Store;
  listed(): Executor | Promise<Executor>;
  /** Closes the copy of the tables. Does not close the store. */
  close(): Promise<void>;
}

/** The tables that the list queries read, and the tables that those rows refer to. */
const COPIED = [
  ...['providers', 'experiences', 'experience_grants', 'accounts', 'principals', 'account_grants'],
  ...['assignments', 'connections'],
] as StateTable[];

/**
 * Makes the lists of assignments and connections lag behind writes (decision `lists.read-model-lag`). Lists are read from a copy of the
 * tables. A copy that is older than the lag is renewed before a list is read. An old copy is also renewed before a write, so that the next
 * list does not show the write immediately.
 */
export async function openListed(store: Store, clock: Clock, lagMs: number): Promise<ListedStore> {
  if (lagMs === 0) return { store, listed: () => store.db, close: async () => {} };
  const copy = await openStore();
  let copiedAt = Number.NEGATIVE_INFINITY;
  let renewing = Promise.resolve();

  async function renewIfOld(): Promise<void> {
    const age = clock.now() - copiedAt;
    // A negative age means that kit time was set back, so the copy is renewed.
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
