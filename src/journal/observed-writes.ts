import type { Executor } from '../store/engine.ts';
import type { Store } from '../store/store.ts';

/**
 * Returns a store that calls a function in each write transaction, after its work.
 * @param onWork returns a function to call when the transaction has ended
 */
export function observeWrites(
  store: Store,
  onWork: (tx: Executor, result: unknown) => Promise<((committed: boolean) => void) | undefined>,
): Store {
  return {
    ...store,
    async write(work) {
      let ended: ((committed: boolean) => void) | undefined;
      const end = (committed: boolean) => {
        ended?.(committed);
        ended = undefined;
      };
      try {
        const result = await store.write(async (tx) => {
          // `store.write` repeats this function after a deadlock, so the previous run has been rolled back.
          end(false);
          const changed = await work(tx);
          ended = await onWork(tx, changed);
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
