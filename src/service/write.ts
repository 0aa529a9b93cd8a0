import type { Transaction } from 'kysely';
import { isForeignKeyViolation, uniqueViolation } from '../store/errors.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Writes, and if another writer was faster decides again: its rows can be read then. */
export async function writeOrDecideAgain<T>(store: Store, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  try {
    return await store.write(work);
  } catch (error) {
    // Only the operator chooses aliases, and gets the violation.
    const isRace = isForeignKeyViolation(error) || uniqueViolation(error)?.columns.includes('alias') === false;
    if (!isRace) throw error;
    return store.write(work);
  }
}
