import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { CAPACITY, DEFAULT_LIMIT, type Journal, matcher, type NumberedRecord, toEntry, toSummary } from './journal.ts';

/**
 * Creates an empty journal in memory. @param options.capacity the maximum number of entries; at this number, each new entry removes the
 * oldest entry
 */
export function createMemoryJournal({ capacity = CAPACITY }: { readonly capacity?: number | undefined } = {}): Journal {
  let entries: NumberedRecord[] = [];
  let newest = 0;
  const added = new EventEmitter<{ entry: [NumberedRecord] }>().setMaxListeners(0);
  const closing = new AbortController();

  return {
    run: randomUUID(),

    newest: async () => newest,

    add(recorded) {
      const kept = { number: ++newest, recorded };
      entries.push(kept);
      const removed = entries.length > capacity ? entries.shift() : undefined;
      // Listeners are called in a later event loop turn, because the recorder has not yet set the pipeline step, and the end of the request
      // body may still arrive.
      if (added.listenerCount('entry') > 0) setImmediate(() => added.emit('entry', kept));
      // A listener may still read an entry after its removal.
      else removed?.recorded.release();
    },

    async find(traceId) {
      const [first, ...others] = entries.filter(({ recorded }) => recorded.traceId === traceId).reverse();
      return first && { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) };
    },

    async list({ limit = DEFAULT_LIMIT, view, ...filter } = {}) {
      const matches = matcher(filter);
      const found: NumberedRecord[] = [];
      for (let index = entries.length - 1; index >= 0 && found.length < limit; index--)
        if (matches(entries[index]!)) found.push(entries[index]!);
      return found.map(view === 'summary' ? toSummary : toEntry);
    },

    async following(number, limit) {
      if (number >= newest) return { entries: [], missed: 0, isComplete: true };
      // The numbers of the entries are consecutive, so the position of an entry follows from its number.
      const start = Math.max(0, number + 1 - (entries[0]?.number ?? 0));
      const next = entries.slice(start, start + limit);
      const missed = (next[0]?.number ?? newest + 1) - number - 1;
      return { entries: next.map(toEntry), missed, isComplete: start + limit >= entries.length };
    },

    async clear() {
      entries = [];
    },

    async wait(filter, timeoutMs) {
      const matches = matcher(filter);
      const existing = filter.since === undefined ? entries.findLast(matches) : entries.find(matches);
      if (existing) return toEntry(existing);
      if (closing.signal.aborted) return undefined;
      // AbortSignal.timeout is not used, because its timer does not keep the process running. A process without other work would end during
      // the wait.
      const ended = new AbortController();
      const end = () => ended.abort();
      const timer = setTimeout(end, timeoutMs);
      closing.signal.addEventListener('abort', end);
      try {
        for await (const [kept] of on(added, 'entry', { signal: ended.signal })) if (matches(kept)) return toEntry(kept);
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
