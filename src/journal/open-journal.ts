import type { Store } from '../store/store.ts';
import { createJournal, type Journal } from './journal.ts';
import { createMemoryStore } from './memory-store.ts';

/** Opens the journal that replicas share or, if a single process owns the store, a journal in memory. */
export async function openJournal(store: Store, closing: AbortSignal, capacity?: number): Promise<Journal> {
  const isShared = store.engine === 'postgres';
  const records = isShared ? await (await import('./shared-store.ts')).openSharedStore(store, capacity) : createMemoryStore(capacity);
  return createJournal(records, closing);
}
