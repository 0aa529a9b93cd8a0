import type { Transaction } from 'kysely';
import { findUniqueViolation, isForeignKeyViolation } from '../store/errors.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

export async function writeWithRetry<T>(store: Store, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  try {
    return await store.write(work);
  } catch (error) {
    // Only the operator chooses aliases, so a duplicate is the operator's error.
    const isRace = isForeignKeyViolation(error) || findUniqueViolation(error)?.columns.includes('alias') === false;
    if (!isRace) throw error;
    return store.write(work);
  }
}
