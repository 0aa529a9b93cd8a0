import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { createMatcher, DEFAULT_CAPACITY, DEFAULT_LIMIT, type Journal, type NumberedRecord, toEntry, toSummary } from './journal.ts';

export function createMemoryJournal({ capacity = DEFAULT_CAPACITY }: { readonly capacity?: number | undefined } = {}): Journal {
  let entries: NumberedRecord[] = [];
  let newest = 0;
  const added = new EventEmitter<{ entry: [NumberedRecord] }>().setMaxListeners(0);
  const closing = new AbortController();

  return {
    run: randomUUID(),

    readNewestNumber: async () => newest,

    add(recorded) {
      const entry = { number: ++newest, recorded };
      entries.push(entry);
      const removed = entries.length > capacity ? entries.shift() : undefined;
      // Listeners run later, because the request is not completely recorded yet.
      if (added.listenerCount('entry') > 0) setImmediate(() => added.emit('entry', entry));
      // A listener may still read an entry after its removal.
      else removed?.recorded.release();
    },

    async find(traceId) {
      const [first, ...others] = entries.filter(({ recorded }) => recorded.traceId === traceId).reverse();
      return first && { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) };
    },

    async list({ limit = DEFAULT_LIMIT, view, ...filter } = {}) {
      const matches = createMatcher(filter);
      const found: NumberedRecord[] = [];
      for (let index = entries.length - 1; index >= 0 && found.length < limit; index--)
        if (matches(entries[index]!)) found.push(entries[index]!);
      return found.map(view === 'summary' ? toSummary : toEntry);
    },

    async listAfter(number, limit) {
      if (number >= newest) return { entries: [], missed: 0, isComplete: true };
      const start = Math.max(0, number + 1 - (entries[0]?.number ?? 0));
      const next = entries.slice(start, start + limit);
      const missed = (next[0]?.number ?? newest + 1) - number - 1;
      return { entries: next.map(toEntry), missed, isComplete: start + limit >= entries.length };
    },

    async clear() {
      entries = [];
    },

    async waitForEntry(filter, timeoutMs) {
      const matches = createMatcher(filter);
      const existing = filter.since === undefined ? entries.findLast(matches) : entries.find(matches);
      if (existing) return toEntry(existing);
      if (closing.signal.aborted) return undefined;
      // The timer of `AbortSignal.timeout` would not keep the process alive.
      const ended = new AbortController();
      const end = () => ended.abort();
      const timer = setTimeout(end, timeoutMs);
      closing.signal.addEventListener('abort', end);
      try {
        for await (const [entry] of on(added, 'entry', { signal: ended.signal })) if (matches(entry)) return toEntry(entry);
      } catch (error) {
        if (!ended.signal.aborted) throw error;
      } finally {
        clearTimeout(timer);
        closing.signal.removeEventListener('abort', end);
      }
      return undefined;
    },

    subscribe(listener) {
      added.on('entry', listener);
      return () => void added.off('entry', listener);
    },

    close: () => closing.abort(),
    stop: async () => {},
  };
}
