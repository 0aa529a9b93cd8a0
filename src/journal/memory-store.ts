import { randomUUID } from 'node:crypto';
import type { NumberedRecord } from './entry.ts';
import { DEFAULT_CAPACITY, type JournalStore } from './journal.ts';

/** Keeps the newest records in this process. */
export function createMemoryStore(capacity = DEFAULT_CAPACITY): JournalStore {
  let records: NumberedRecord[] = [];
  let newest = 0;
  const listeners = new Set<() => void>();
  let isNotifying = false;

  const countRemoved = () => (records[0]?.number ?? newest + 1) - 1;
  const toPage = (page: readonly NumberedRecord[]) => ({ records: page, removed: countRemoved(), newest, isSettled: true });

  function notify(): void {
    isNotifying = false;
    for (const listener of listeners) listener();
  }

  return {
    run: randomUUID(),
    findWaitMs: 0,
    add(recorded) {
      records.push({ number: ++newest, recorded });
      if (records.length > capacity) records.shift()!.recorded.release?.();
      if (listeners.size === 0 || isNotifying) return;
      // Notifies listeners after the response is sent, and only once for several requests.
      isNotifying = true;
      setImmediate(notify);
    },
    settle: async () => {},
    async readBefore(number, limit) {
      const end = Math.max(0, number - 1 - countRemoved());
      return toPage(records.slice(Math.max(0, Math.min(end, records.length) - limit), end).reverse());
    },
    async readAfter(number, limit) {
      const start = Math.max(0, number - countRemoved());
      return toPage(records.slice(start, start + limit));
    },
    readTrace: async (traceId) => records.filter(({ recorded }) => recorded.traceId === traceId).reverse(),
    async clear() {
      records = [];
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: async () => {},
  };
}
