import type { Executor } from './engine.ts';
import type { Store } from './store.ts';

export type OnTransactionEnd = (committed: boolean) => void;

export function createJournaledStore(store: Store, storeEntry: (tx: Executor, result: object) => Promise<OnTransactionEnd>): Store {
  return {
    ...store,
    async write(work) {
      let ended: OnTransactionEnd | undefined;
      const end = (committed: boolean) => {
        ended?.(committed);
        ended = undefined;
      };
      try {
        const result = await store.write(async (tx) => {
          // `store.write` repeats this function after a deadlock, so undo the previous run's journal entry.
          end(false);
          const changed = await work(tx);
          ended = await storeEntry(tx, changed as object);
          return changed;
        });
        end(true);
        return result;
      } catch (error) {
        end(false);
        throw error;
      }
    },
  };
}
