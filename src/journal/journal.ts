import { createAlarm } from '../clock/alarm.ts';
import type { ResponseCause } from '../contract/failure.ts';
import type { Executor } from '../store/engine.ts';
import { isUnavailable } from '../store/errors.ts';
import type { JournalEntry, NumberedRecord, RecordedRequest } from './entry.ts';
import { createMatcher, type JournalFilter } from './filter.ts';

interface JournalPage {
  readonly records: readonly NumberedRecord[];
  /** The number of the last record that was removed from the journal. */
  readonly removed: number;
  /** The number of the newest record. */
  readonly newest: number;
  /** Whether no open transaction can add another record. */
  readonly isSettled: boolean;
}

/** Where the records are: in memory or, for several replicas, in PostgreSQL. */
export interface JournalStore {
  /** The journal's id. Entry numbers alone are ambiguous, because every journal starts at 1. */
  readonly run: string;
  /** The salt for fingerprints, if replicas share it. */
  readonly salt?: string;
  /** How long `find` waits for an entry that another replica may still be storing, in milliseconds of wall time. */
  readonly findWaitMs: number;
  /** Never throws, and never delays a response. */
  add(recorded: RecordedRequest): void;
  /**
   * Adds a record in the request's transaction. The store in memory does not implement this.
   * @returns a function to call when the transaction has ended
   */
  readonly addInTransaction?: (tx: Executor, recorded: RecordedRequest) => Promise<(committed: boolean) => void>;
  /** Makes all earlier records readable. Waits briefly for open transactions that may add records. */
  settle(): Promise<void>;
  /** Reads at most `limit` records with lower numbers, newest first. */
  readBefore(number: number, limit: number): Promise<JournalPage>;
  /** Reads at most `limit` records with higher numbers, oldest first. */
  readAfter(number: number, limit: number): Promise<JournalPage>;
  /** Reads a trace id's records, newest first. */
  readTrace(traceId: string): Promise<readonly NumberedRecord[]>;
  /** Removes all records. Later records continue the numbering. */
  clear(): Promise<void>;
  /** Calls the listener after new records. The listener must not throw. */
  subscribe(listener: () => void): () => void;
  /** Never rejects. */
  stop(): Promise<void>;
}

export interface ListOptions extends JournalFilter {
  readonly limit?: number | undefined;
  /** A `summary` has no headers, bodies, OAuth facts or cursor. */
  readonly view?: 'full' | 'summary' | undefined;
}

/** The number of requests that are kept. */
export const DEFAULT_CAPACITY = 1000;
const DEFAULT_LIMIT = 100;
const RECORDS_PER_PAGE = 200;
/** While transactions are open, `waitForEntry` reads again after this many milliseconds of wall time. */
const REREAD_DELAY_MS = 50;

export interface FoundEntry {
  readonly entry: JournalEntry;
  readonly cause: ResponseCause | undefined;
  /** Older entries with the same trace id, newest first. */
  readonly others: readonly JournalEntry[];
}

export type Journal = ReturnType<typeof createJournal>;

/**
 * The latest requests, in the order in which their responses were sent. On PostgreSQL, all replicas share one journal.
 * @param closing ends all waits, so that a kit can close without delay
 */
export function createJournal(store: JournalStore, closing: AbortSignal = new AbortController().signal) {
  let lastNewest = 0;

  /** Lists matching entries, newest first. */
  async function select({ limit = DEFAULT_LIMIT, view, ...filter }: ListOptions) {
    const matches = createMatcher(filter);
    const build = view === 'summary' ? toSummary : toEntry;
    const entries: JournalEntry[] = [];
    let newest: number | undefined;
    let before = filter.before ?? Number.MAX_SAFE_INTEGER;
    await store.settle();
    for (;;) {
      const page = await store.readBefore(before, RECORDS_PER_PAGE);
      newest ??= page.newest;
      for (const record of page.records) if (entries.length < limit && matches(record)) entries.push(build(record));
      before = page.records.at(-1)?.number ?? 0;
      const isLastPage = page.records.length < RECORDS_PER_PAGE || before <= (filter.since ?? 0);
      if (entries.length >= limit || isLastPage) return { entries, newest };
    }
  }

  /**
   * Reads after every change of the journal, until something is found.
   * @param read returns what it has found, or the longest pause before it reads again, in milliseconds of wall time
   * @returns undefined after the timeout or on `closing`
   */
  async function readUntilFound<Found>(timeoutMs: number, read: () => Promise<{ found?: Found; pauseMs?: number }>) {
    const deadline = performance.now() + timeoutMs;
    const alarm = createAlarm(0);
    const unsubscribe = store.subscribe(alarm.wake);
    closing.addEventListener('abort', alarm.wake);
    try {
      for (;;) {
        alarm.start();
        const { found, pauseMs = Number.POSITIVE_INFINITY } = await read();
        const timeLeft = deadline - performance.now();
        if (found !== undefined || timeLeft <= 0 || closing.aborted) return found;
        await alarm.rest(Math.min(timeLeft, pauseMs));
      }
    } finally {
      closing.removeEventListener('abort', alarm.wake);
      unsubscribe();
    }
  }

  return {
    run: store.run,
    salt: store.salt,
    add: store.add,
    addInTransaction: store.addInTransaction,
    clear: store.clear,
    subscribe: store.subscribe,
    stop: store.stop,

    /** Returns the newest entry's number; 0 before the first entry. During a database outage, returns the last known number. */
    async readNewestNumber(): Promise<number> {
      try {
        await store.settle();
        ({ newest: lastNewest } = await store.readAfter(Number.MAX_SAFE_INTEGER, 0));
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
      return lastNewest;
    },

    async find(traceId: string): Promise<FoundEntry | undefined> {
      await store.settle();
      const found = await readUntilFound(store.findWaitMs, async () => {
        const [first, ...others] = await store.readTrace(traceId);
        return first ? { found: { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) } } : {};
      });
      if (found) return found;
      // The client of a proxy knows the trace id that the target has put into its problem.
      const { entries } = await select({ text: traceId });
      const forwarded = entries.find(({ step, response }) => step === 'forward' && Object(response?.body).traceId === traceId);
      return forwarded && this.find(forwarded.traceId);
    },

    /** Lists matching entries, newest first. */
    list: async (options: ListOptions = {}): Promise<JournalEntry[]> => (await select(options)).entries,

    /**
     * Lists at most `limit` entries after `number`, oldest first.
     * @returns `missed`: how many of the requested entries were removed; `isComplete`: whether the page ends with the newest entry, and no
     * open transaction can add another one
     */
    async listAfter(number: number, limit: number) {
      const { records, removed, newest, isSettled } = await store.readAfter(number, limit);
      return {
        entries: records.map(toEntry),
        missed: Math.max(0, removed - number),
        isComplete: isSettled && (records.at(-1)?.number ?? number) >= newest,
      };
    },

    /**
     * Waits for a match. Returns the first match after `since` or, without `since`, the newest.
     * @param timeoutMs milliseconds of wall time
     * @returns undefined after the timeout, or when the kit closes
     */
    async waitForEntry(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined> {
      const matches = createMatcher(filter);
      let { since } = filter;
      if (since === undefined) {
        const { entries, newest } = await select({ ...filter, limit: 1 });
        if (entries[0]) return entries[0];
        since = newest;
      } else await store.settle();
      let position = since;
      return readUntilFound(timeoutMs, async () => {
        const { records, removed, isSettled } = await store.readAfter(position, RECORDS_PER_PAGE);
        const match = records.find(matches);
        if (match) return { found: toEntry(match) };
        position = records.at(-1)?.number ?? Math.max(position, removed);
        return records.length === RECORDS_PER_PAGE ? { pauseMs: 0 } : isSettled ? {} : { pauseMs: REREAD_DELAY_MS };
      });
    },
  };
}

const toSummary = ({ number, recorded }: NumberedRecord): JournalEntry => recorded.buildSummary(number);
const toEntry = ({ number, recorded }: NumberedRecord): JournalEntry => recorded.buildEntry(number);
