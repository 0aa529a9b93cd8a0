import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import type { ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';

/** One request and its response, without secrets. */
export type JournalEntry = components['schemas']['JournalEntry'];

/** What the journal keeps. Entries are looked up by these members; the rest of an entry is built when it is read. */
export interface Recorded {
  readonly traceId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly operationId: string | undefined;
  /** Undefined if the connection ended without a response. */
  readonly status: number | undefined;
  readonly cause?: ResponseCause | undefined;
  /** @param number counts the entries since the journal was created. */
  entry(number: number): JournalEntry;
}

/** An entry matches if it has all of these. */
export interface JournalFilter {
  readonly operation?: string | undefined;
  /** In any letter case. */
  readonly method?: string | undefined;
  /** Without query; `*` stands for any text. */
  readonly path?: string | undefined;
  /** A status, or a class such as `4xx`. */
  readonly status?: number | string | undefined;
  /** Only entries with a greater number. */
  readonly since?: number | undefined;
}

/** The last requests to this process, in the order of the responses. */
export type Journal = ReturnType<typeof createJournal>;

interface Kept {
  readonly number: number;
  readonly recorded: Recorded;
}

/** @param options.capacity how many entries are kept; the oldest are dropped. */
export function createJournal({ capacity = 1000 }: { readonly capacity?: number } = {}) {
  let entries: Kept[] = [];
  let newest = 0;
  const added = new EventEmitter<{ entry: [Kept] }>().setMaxListeners(0);
  const closing = new AbortController();

  return {
    /** Identifies this journal: other processes number their own entries. */
    run: randomUUID(),

    /** The number of the newest entry, kept or not; 0 before the first. */
    get newest(): number {
      return newest;
    },

    add(recorded: Recorded): void {
      const kept = { number: ++newest, recorded };
      entries.push(kept);
      if (entries.length > capacity) entries.shift();
      // Later: the recorder still sets the pipeline step, and the rest of the request's body may be on its way.
      if (added.listenerCount('entry') > 0) setImmediate(() => added.emit('entry', kept));
    },

    /** The newest entry of a trace, with what explanations need: its cause, and older entries of the trace, the newest first. */
    find(traceId: string) {
      const [first, ...others] = entries.filter(({ recorded }) => recorded.traceId === traceId).reverse();
      return first && { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) };
    },

    /** The newest first, at most `limit`. */
    list({ limit = 100, ...filter }: JournalFilter & { readonly limit?: number | undefined } = {}): JournalEntry[] {
      return entries.filter(matcher(filter)).reverse().slice(0, limit).map(toEntry);
    },

    /** The entries after a number, at most `limit`, the oldest first. `missed` counts those before them that are no longer kept. */
    following(number: number, limit: number): { entries: JournalEntry[]; missed: number } {
      if (number >= newest) return { entries: [], missed: 0 };
      const next = entries.filter((kept) => kept.number > number).slice(0, limit);
      return { entries: next.map(toEntry), missed: (next[0]?.number ?? newest + 1) - number - 1 };
    },

    /** Removes all entries. Numbers go on. */
    clear(): void {
      entries = [];
    },

    /**
     * Waits for an entry, so that tests need not sleep. Without `since`, returns the newest existing entry that matches: the request may be
     * faster than the test. With `since`, returns the first after that number.
     *
     * @param timeoutMs wall milliseconds. @returns undefined if none came in time, or the journal was closed.
     */
    async wait(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined> {
      const matches = matcher(filter);
      const existing = filter.since === undefined ? entries.findLast(matches) : entries.find(matches);
      if (existing) return toEntry(existing);
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
      try {
        for await (const [kept] of on(added, 'entry', { signal })) if (matches(kept)) return toEntry(kept);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return undefined;
    },

    /** Calls the listener after every new entry. The listener must not throw. @returns a function that ends it. */
    subscribe(listener: () => void): () => void {
      added.on('entry', listener);
      return () => void added.off('entry', listener);
    },

    /** Ends all waits. */
    close: () => closing.abort(),
  };
}

const toEntry = ({ number, recorded }: Kept): JournalEntry => recorded.entry(number);

function matcher({ operation, method, path, status, since = 0 }: JournalFilter): (kept: Kept) => boolean {
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
