import type { ResponseCause } from '../contract/failure.ts';
import { type JournalRow, MAX_ROWS_PER_TRANSACTION } from '../store/postgres/journal-rows.ts';
import type { JournalEntry, Recorded } from './journal.ts';

/** The content of a row. The number of the entry is not stored, because it depends on the other entries. */
export interface Content {
  readonly entry: JournalEntry;
  readonly cause?: ResponseCause | undefined;
}

/** The minimum time between the starts of two batches, in milliseconds of wall time. The first entry after that time is stored at once. */
const BATCH_MS = 50;
/** Milliseconds of wall time until a batch is stored again that could not be stored. */
const AGAIN_MS = 1_000;
/** The maximum number of entries that wait. If the database is unavailable for long, the oldest entries are dropped. */
const MAX_WAITING = 1_000;

interface BatchOptions {
  /** Stores a batch, and announces the change. */
  store(rows: readonly JournalRow[]): Promise<void>;
  /** `removeOld` is called each time this number of entries was stored. */
  readonly removeEvery: number;
  removeOld(): Promise<void>;
}

/** Collects entries, and stores many with one statement after the responses of their requests. */
export function createBatches({ store, removeEvery, removeOld }: BatchOptions) {
  let waiting: Recorded[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let storedSinceRemoval = 0;
  let isStopped = false;

  function schedule(ms = Math.max(0, startedAt + BATCH_MS - performance.now())): void {
    if (storing === undefined && !isStopped) timer ??= setTimeout(storeNext, ms).unref();
  }

  /** Puts entries back to the front. */
  function putBack(entries: readonly Recorded[]): void {
    waiting = [...entries, ...waiting].slice(-MAX_WAITING);
  }

  function stored(entries: readonly Recorded[]): void {
    for (const recorded of entries) recorded.release();
    storedSinceRemoval += entries.length;
    if (storedSinceRemoval < removeEvery) return;
    storedSinceRemoval = 0;
    // If this fails, the next removal removes more entries.
    removeOld().catch(() => {});
  }

  /** Stores the next batch, or waits for the batch in progress. */
  function storeNext(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    storing ??= storeBatch(waiting.splice(0, MAX_ROWS_PER_TRANSACTION)).then((again) => {
      storing = undefined;
      if (waiting.length > 0) schedule(again);
    });
    return storing;
  }

  /** @returns the time until the next batch in milliseconds, if it differs from `BATCH_MS` */
  async function storeBatch(entries: readonly Recorded[]): Promise<number | undefined> {
    startedAt = performance.now();
    try {
      await store(entries.map(toRow));
    } catch {
      // The requests were answered, so an error of the database has no effect except that the entries are stored later or never.
      putBack(entries);
      return AGAIN_MS;
    }
    stored(entries);
    return undefined;
  }

  /** Resolves when all entries that wait now are stored, or when they cannot be stored. */
  async function flush(): Promise<void> {
    await storing;
    for (let left = waiting.length; left > 0; left -= MAX_ROWS_PER_TRANSACTION) if (waiting.length > 0) await storeNext();
  }

  return {
    add(recorded: Recorded): void {
      waiting.push(recorded);
      if (waiting.length > MAX_WAITING) waiting.shift();
      // The recorder sets the pipeline step in this turn of the event loop, so the entry is stored in a later one.
      schedule();
    },

    /**
     * Takes the entries that wait, for a transaction that stores them and `last`.
     * @returns the rows, and a function to be called after the transaction, with whether it was committed
     */
    take(last: Recorded) {
      const earlier = waiting.splice(0, MAX_ROWS_PER_TRANSACTION - 1);
      return {
        rows: [...earlier, last].map(toRow),
        end(committed: boolean): void {
          if (committed) stored([...earlier, last]);
          else if (earlier.length > 0) {
            putBack(earlier);
            schedule();
          }
        },
      };
    },

    flush,

    async stop(): Promise<void> {
      isStopped = true;
      await flush();
      clearTimeout(timer);
    },
  };
}

function toRow(recorded: Recorded): JournalRow {
  const content: Content = { entry: recorded.entry(0), cause: recorded.cause };
  return { traceId: recorded.traceId, content };
}
