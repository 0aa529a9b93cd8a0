import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import type { ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';

/** One request and its response, without secrets. */
export type JournalEntry = components['schemas']['JournalEntry'];

/**
 * A recorded request. The journal filters requests by the members of this interface. When an entry is read, the journal calls `entry` to
 * build the whole entry.
 */
export interface Recorded {
  readonly traceId: string;
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly operationId: string | undefined;
  /** Undefined if the connection ended without a response. */
  readonly status: number | undefined;
  readonly cause?: ResponseCause | undefined;
  /** The ids of the client and the principal, and the fingerprint of the access token. */
  readonly credentials: readonly (string | undefined)[];
  /** Builds the entry. @param number the number of the entry in the journal */
  entry(number: number): JournalEntry;
  /** Builds the members of the entry that need no body, no headers and no facts of OAuth. */
  summary(number: number): JournalEntry;
  /** Lets a later request use the memory of this one. The journal calls this when it has removed the entry. */
  release(): void;
}

/** A filter for entries. An entry matches if it matches every member that is set in the filter. */
export interface JournalFilter {
  readonly operation?: string | undefined;
  /** The method, in any letter case. */
  readonly method?: string | undefined;
  /** The path, without the query. Each `*` matches any text. */
  readonly path?: string | undefined;
  /** A status, or a class such as `4xx`. */
  readonly status?: number | string | undefined;
  /** The id of a client or a principal, or the fingerprint of an access token. */
  readonly credential?: string | undefined;
  /** The id of a rule, decision or gate in the type of the problem. */
  readonly rule?: string | undefined;
  /** Only entries with a greater number than `since` match. */
  readonly since?: number | undefined;
  /** Only entries with a smaller number than `before` match. */
  readonly before?: number | undefined;
}

interface ListOptions {
  readonly limit?: number | undefined;
  /** With `summary`, the entries have no headers, no bodies, no facts of OAuth and no cursor. */
  readonly view?: 'full' | 'summary' | undefined;
}

/** The latest requests to this process, in the order in which the responses were sent. */
export type Journal = ReturnType<typeof createJournal>;

interface NumberedEntry {
  readonly number: number;
  readonly recorded: Recorded;
}

/**
 * Creates an empty journal. @param options.capacity the maximum number of entries; at this number, each new entry removes the oldest entry
 */
export function createJournal({ capacity = 1000 }: { readonly capacity?: number | undefined } = {}) {
  let entries: NumberedEntry[] = [];
  let newest = 0;
  const added = new EventEmitter<{ entry: [NumberedEntry] }>().setMaxListeners(0);
  const closing = new AbortController();

  return {
    /** Identifies this journal. Every process numbers its entries from 1, so a number alone does not identify an entry. */
    run: randomUUID(),

    /** The number of the newest entry, even if that entry was removed. The number is 0 before the first entry. */
    get newest(): number {
      return newest;
    },

    add(recorded: Recorded): void {
      const kept = { number: ++newest, recorded };
      entries.push(kept);
      const removed = entries.length > capacity ? entries.shift() : undefined;
      // Listeners are called in a later event loop turn, because the recorder has not yet set the pipeline step, and the end of the request
      // body may still arrive.
      if (added.listenerCount('entry') > 0) setImmediate(() => added.emit('entry', kept));
      // A listener may still read an entry after its removal.
      else removed?.recorded.release();
    },

    /**
     * Finds the newest entry with a trace id, the cause of its response, and all older entries with the same trace id, in descending order.
     */
    find(traceId: string) {
      const [first, ...others] = entries.filter(({ recorded }) => recorded.traceId === traceId).reverse();
      return first && { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) };
    },

    /** Lists at most `limit` entries that match the filter, the newest first. */
    list({ limit = 100, view, ...filter }: JournalFilter & ListOptions = {}): JournalEntry[] {
      const matches = matcher(filter);
      const found: NumberedEntry[] = [];
      for (let index = entries.length - 1; index >= 0 && found.length < limit; index--)
        if (matches(entries[index]!)) found.push(entries[index]!);
      return found.map(view === 'summary' ? toSummary : toEntry);
    },

    /**
     * Lists at most `limit` entries with a greater number than `number`, the oldest first. `missed` counts the removed entries after
     * `number`.
     */
    following(number: number, limit: number): { entries: JournalEntry[]; missed: number } {
      if (number >= newest) return { entries: [], missed: 0 };
      // The numbers of the entries are consecutive, so the position of an entry follows from its number.
      const start = Math.max(0, number + 1 - (entries[0]?.number ?? 0));
      const next = entries.slice(start, start + limit);
      return { entries: next.map(toEntry), missed: (next[0]?.number ?? newest + 1) - number - 1 };
    },

    /** Removes all entries. Numbering continues after the removed entries. */
    clear(): void {
      entries = [];
    },

    /**
     * Waits for an entry that matches the filter, so that tests need not sleep. With `since`, returns the first match after that entry
     * number. Without `since`, returns the newest existing match, because the request may have ended before the call of `wait`. If no entry
     * matches yet, waits for the first match.
     * @param timeoutMs milliseconds of wall time
     * @returns undefined if no entry matched before the timeout, or if the journal was closed
     */
    async wait(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined> {
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

    /** Calls the listener after every new entry. The listener must not throw. @returns a function that removes the listener. */
    subscribe(listener: () => void): () => void {
      added.on('entry', listener);
      return () => void added.off('entry', listener);
    },

    /** Ends all calls of `wait`, so that a kit can close without a delay. */
    close: () => closing.abort(),
  };
}

const toSummary = ({ number, recorded }: NumberedEntry): JournalEntry => recorded.summary(number);
const toEntry = ({ number, recorded }: NumberedEntry): JournalEntry => recorded.entry(number);

function matcher({
  operation,
  method,
  path,
  status,
  credential,
  rule,
  since = 0,
  before = Infinity,
}: JournalFilter): (kept: NumberedEntry) => boolean {
  const statusOrClass = String(status).toLowerCase();
  const upperMethod = method?.toUpperCase();
  const pattern = path === undefined ? undefined : patternOf(path);
  return ({ number, recorded }) =>
    number > since &&
    number < before &&
    (upperMethod === undefined || recorded.method === upperMethod) &&
    (status === undefined || [String(recorded.status), `${String(recorded.status)[0]}xx`].includes(statusOrClass)) &&
    (operation === undefined || recorded.operationId === operation) &&
    (credential === undefined || recorded.credentials.includes(credential)) &&
    (rule === undefined || reasonOf({ number, recorded }) === rule) &&
    (pattern === undefined || pattern.test(recorded.path.split('?', 1)[0] as string));
}

/** Returns the id of the rule, decision or gate that a response names. The body is read only if the recorded cause does not contain it. */
function reasonOf({ number, recorded }: NumberedEntry): string | undefined {
  const { cause, status = 0 } = recorded;
  if (cause?.failure !== undefined) return cause.failure.reason;
  return status < 400 ? undefined : recorded.summary(number).problem?.type?.replace(/^\/problems\//, '');
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
