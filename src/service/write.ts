import type { Transaction } from 'kysely';
import { isForeignKeyViolation, uniqueViolation } from '../store/errors.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Runs a transaction. If a concurrent write violates its constraints, runs it once more, so that it decides again with the rows of the other writer. */
export async function writeOrDecideAgain<T>(store: Store, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  try {
    return await store.write(work);
  } catch (error) {
    // A violation of a unique alias is reported to the operator, because only the operator chooses aliases.
    const isRace = isForeignKeyViolation(error) || uniqueViolation(error)?.columns.includes('alias') === false;
    if (!isRace) throw error;
    return store.write(work);
  }
}
