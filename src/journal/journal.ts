import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import type { ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';

/** One request and its response, without secrets. */
export type JournalEntry = components['schemas']['JournalEntry'];

/** A recorded request. The journal filters requests by these members, and calls `entry` to build the whole entry when it is read. */
export interface Recorded {
  readonly traceId: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly operationId: string | undefined;
  /** Undefined if the connection ended without a response. */
  readonly status: number | undefined;
  readonly cause?: ResponseCause | undefined;
  /** Builds the entry. @param number the number that the journal gave to the entry */
  entry(number: number): JournalEntry;
}

/** An entry matches a filter if it matches every member that is set. */
export interface JournalFilter {
  readonly operation?: string | undefined;
  /** The method, in any letter case. */
  readonly method?: string | undefined;
  /** The path without its query. Each `*` matches any text. */
  readonly path?: string | undefined;
  /** A status, or a class such as `4xx`. */
  readonly status?: number | string | undefined;
  /** Only entries with a number greater than this match. */
  readonly since?: number | undefined;
}

/** The last requests to this process, in the order in which the responses were sent. */
export type Journal = ReturnType<typeof createJournal>;

interface NumberedEntry {
  readonly number: number;
  readonly recorded: Recorded;
}

/** Creates an empty journal. @param options.capacity the number of entries after which each new entry removes the oldest */
export function createJournal({ capacity = 1000 }: { readonly capacity?: number } = {}) {
  let entries: NumberedEntry[] = [];
  let newest = 0;
  const added = new EventEmitter<{ entry: [NumberedEntry] }>().setMaxListeners(0);
  const closing = new AbortController();

  return {
    /** Identifies this journal, because every process numbers its entries from 1. */
    run: randomUUID(),

    /** The number of the newest entry, even if the entry was removed; 0 before the first entry. */
    get newest(): number {
      return newest;
    },

    add(recorded: Recorded): void {
      const kept = { number: ++newest, recorded };
      entries.push(kept);
      if (entries.length > capacity) entries.shift();
      // Listeners are called later, because the recorder still sets the pipeline step, and the last bytes of the request body may still arrive.
      if (added.listenerCount('entry') > 0) setImmediate(() => added.emit('entry', kept));
    },

    /** The newest entry with a trace id, the cause of its response, and the older entries with the same trace id, the newest first. */
    find(traceId: string) {
      const [first, ...others] = entries.filter(({ recorded }) => recorded.traceId === traceId).reverse();
      return first && { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) };
    },

    /** At most `limit` entries that match the filter, the newest first. */
    list({ limit = 100, ...filter }: JournalFilter & { readonly limit?: number | undefined } = {}): JournalEntry[] {
      return entries.filter(matcher(filter)).reverse().slice(0, limit).map(toEntry);
    },

    /** At most `limit` entries with a greater number, the oldest first. `missed` counts the entries after the number that were removed from the journal. */
    following(number: number, limit: number): { entries: JournalEntry[]; missed: number } {
      if (number >= newest) return { entries: [], missed: 0 };
      const next = entries.filter((kept) => kept.number > number).slice(0, limit);
      return { entries: next.map(toEntry), missed: (next[0]?.number ?? newest + 1) - number - 1 };
    },

    /** Removes all entries. The numbers of new entries continue after the removed ones. */
    clear(): void {
      entries = [];
    },

    /**
     * Waits for an entry that matches the filter, so that tests need not sleep. With `since`, returns the first match after that number. Without `since`,
     * returns the newest existing match, if there is one, because the request may have ended before the test waits for it.
     *
     * @param timeoutMs milliseconds of wall time. @returns undefined if no entry matched in this time, or the journal was closed.
     */
    async wait(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined> {
      const matches = matcher(filter);
      const existing = filter.since === undefined ? entries.findLast(matches) : entries.find(matches);
      if (existing) return toEntry(existing);
      if (closing.signal.aborted) return undefined;
      // The timer of AbortSignal.timeout does not keep the process running, so a process with nothing else to do would end during the wait.
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

    /** Calls the listener after every new entry. The listener must not throw. @returns a function that removes the listener. */
    subscribe(listener: () => void): () => void {
      added.on('entry', listener);
      return () => void added.off('entry', listener);
    },

    /** Ends all calls of `wait`, so that they do not delay the end of the kit. */
    close: () => closing.abort(),
  };
}

const toEntry = ({ number, recorded }: NumberedEntry): JournalEntry => recorded.entry(number);

function matcher({ operation, method, path, status, since = 0 }: JournalFilter): (kept: NumberedEntry) => boolean {
  const statusOrClass = String(status).toLowerCase();
  const upperMethod = method?.toUpperCase();
  const pattern = path === undefined ? undefined : patternOf(path);
  return ({ number, recorded }) =>
    number > since &&
    (upperMethod === undefined || recorded.method === upperMethod) &&
    (status === undefined || [String(recorded.status), `${String(recorded.status)[0]}xx`].includes(statusOrClass)) &&
    (operation === undefined || recorded.operationId === operation) &&
    (pattern === undefined || pattern.test(recorded.path.split('?', 1)[0] as string));
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
