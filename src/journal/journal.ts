import { randomUUID } from 'node:crypto';
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

/** Entries after a given one. */
export interface Following {
  /** The oldest first. */
  readonly entries: readonly JournalEntry[];
  /** How many before the first of them are no longer kept. */
  readonly missed: number;
}

/** An entry with what only explanations need. */
export interface EntryWithCause {
  readonly entry: JournalEntry;
  readonly cause: ResponseCause | undefined;
  /** Older entries of the same trace, the newest first. */
  readonly others: readonly JournalEntry[];
}

/** The last requests to this process, in the order of the responses. */
export interface Journal {
  /** Identifies this journal: other processes number their own entries. */
  readonly run: string;
  /** The number of the newest entry, kept or not; 0 before the first. */
  readonly newest: number;
  add(recorded: Recorded): void;
  /** The newest entry of the trace: a client may send several requests with one trace id. */
  find(traceId: string): JournalEntry | undefined;
  findWithCause(traceId: string): EntryWithCause | undefined;
  /** The newest first, at most `limit` (default 100). */
  list(query?: JournalFilter & { readonly limit?: number | undefined }): JournalEntry[];
  /** The entries after this number, at most `limit`. */
  following(number: number, limit: number): Following;
  /** Removes all entries. Numbers go on. */
  clear(): void;
  /**
   * Waits for an entry, so that tests need not sleep. Without `since`, returns the newest existing entry that matches: the request may be
   * faster than the test. With `since`, returns the first after that number.
   *
   * @param timeoutMs wall milliseconds. @returns undefined if none came in time, or the journal was closed.
   */
  wait(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined>;
  /** Calls the listener for every new entry, shortly after it was added. The listener must not throw. @returns a function that ends it. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
  /** Ends all waits. */
  close(): void;
}

type Kept = { readonly number: number; readonly recorded: Recorded };

/** @param options.capacity how many entries are kept; the oldest are dropped. */
export function createJournal({ capacity = 1000 }: { readonly capacity?: number } = {}): Journal {
  let entries: Kept[] = [];
  const listeners = new Set<(kept: Kept) => void>();
  const closing = new AbortController();
  let newest = 0;

  const ofTrace = (traceId: string) => entries.filter(({ recorded }) => recorded.traceId === traceId).reverse();

  function notify(kept: Kept): void {
    for (const listener of [...listeners]) listener(kept);
  }

  return {
    run: randomUUID(),
    get newest() {
      return newest;
    },
    add(recorded) {
      const kept = { number: ++newest, recorded };
      entries.push(kept);
      if (entries.length > capacity) entries.shift();
      // Later: the recorder still sets the pipeline step, and the rest of the request's body may be on its way.
      if (listeners.size > 0) setImmediate(notify, kept);
    },
    find: (traceId) => ofTrace(traceId).map(toEntry)[0],
    findWithCause(traceId) {
      const [first, ...others] = ofTrace(traceId);
      return first && { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) };
    },
    list: ({ limit = 100, ...filter } = {}) => entries.filter(matcher(filter)).reverse().slice(0, limit).map(toEntry),
    following(number, limit) {
      if (number >= newest) return { entries: [], missed: 0 };
      const next = entries.filter((kept) => kept.number > number).slice(0, limit);
      return { entries: next.map(toEntry), missed: (next[0]?.number ?? newest + 1) - number - 1 };
    },
    clear() {
      entries = [];
    },
    wait(filter, timeoutMs) {
      const matches = matcher(filter);
      const existing = filter.since === undefined ? entries.findLast(matches) : entries.find(matches);
      if (existing || timeoutMs <= 0 || closing.signal.aborted) return Promise.resolve(existing && toEntry(existing));
      return new Promise((resolve) => {
        const end = (kept?: Kept) => {
          clearTimeout(timer);
          listeners.delete(listen);
          closing.signal.removeEventListener('abort', abort);
          resolve(kept && toEntry(kept));
        };
        const listen = (kept: Kept) => {
          if (matches(kept)) end(kept);
        };
        const abort = () => end();
        const timer = setTimeout(end, timeoutMs);
        listeners.add(listen);
        closing.signal.addEventListener('abort', abort);
      });
    },
    subscribe(listener) {
      const listen = (kept: Kept) => listener(toEntry(kept));
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
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
