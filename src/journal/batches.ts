import type { ResponseCause } from '../contract/failure.ts';
import { type JournalRow, MAX_ROWS_PER_TRANSACTION } from '../store/postgres/journal-rows.ts';
import type { JournalEntry, RecordedRequest } from './journal.ts';

export interface RowContent {
  readonly entry: JournalEntry;
  readonly cause?: ResponseCause | undefined;
}

const BATCH_INTERVAL_MS = 50;
const RETRY_DELAY_MS = 1_000;
/** If more entries are waiting, the oldest are dropped. */
const MAX_WAITING_ENTRIES = 1_000;

interface BatchOptions {
  store(rows: readonly JournalRow[]): Promise<void>;
  /** The number of entries stored between two `removeOld` calls. */
  readonly removeEvery: number;
  removeOld(): Promise<void>;
}

/** Stores entries in batches, after the responses are sent. */
export function createBatches({ store, removeEvery, removeOld }: BatchOptions) {
  let waiting: RecordedRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let storedSinceRemoval = 0;
  let isStopped = false;

  function schedule(ms = Math.max(0, startedAt + BATCH_INTERVAL_MS - performance.now())): void {
    if (storing === undefined && !isStopped) timer ??= setTimeout(storeNext, ms).unref();
  }

  function putBack(entries: readonly RecordedRequest[]): void {
    waiting = [...entries, ...waiting].slice(-MAX_WAITING_ENTRIES);
  }

  function handleStored(entries: readonly RecordedRequest[]): void {
    for (const recorded of entries) recorded.release();
    storedSinceRemoval += entries.length;
    if (storedSinceRemoval < removeEvery) return;
    storedSinceRemoval = 0;
    // If this call fails, the next call removes the remaining entries.
    removeOld().catch(() => {});
  }

  function storeNext(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    storing ??= storeBatch(waiting.splice(0, MAX_ROWS_PER_TRANSACTION)).then((nextBatchMs) => {
      storing = undefined;
      if (waiting.length > 0) schedule(nextBatchMs);
    });
    return storing;
  }

  /** @returns milliseconds before the next batch; undefined for the default */
  async function storeBatch(entries: readonly RecordedRequest[]): Promise<number | undefined> {
    startedAt = performance.now();
    try {
      await store(entries.map(toRow));
    } catch {
      // The responses were already sent, so an error only delays the entries.
      putBack(entries);
      return RETRY_DELAY_MS;
    }
    handleStored(entries);
    return undefined;
  }

  /** Never rejects, even if the database is unavailable. */
  async function flush(): Promise<void> {
    await storing;
    for (let left = waiting.length; left > 0; left -= MAX_ROWS_PER_TRANSACTION) if (waiting.length > 0) await storeNext();
  }

  return {
    add(recorded: RecordedRequest): void {
      waiting.push(recorded);
      if (waiting.length > MAX_WAITING_ENTRIES) waiting.shift();
      // The entry is not stored immediately, because the recorder sets the pipeline step after this call.
      schedule();
    },

    /**
     * Returns the entries that are not stored yet, followed by `lastEntry`, so that the caller stores them in one transaction. The caller
     * must then call `end`.
     */
    takeWaitingEntries(lastEntry: RecordedRequest) {
      const earlier = waiting.splice(0, MAX_ROWS_PER_TRANSACTION - 1);
      return {
        rows: [...earlier, lastEntry].map(toRow),
        end(committed: boolean): void {
          if (committed) handleStored([...earlier, lastEntry]);
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

function toRow(recorded: RecordedRequest): JournalRow {
  const content: RowContent = { entry: recorded.buildEntry(0), cause: recorded.cause };
  return { traceId: recorded.traceId, content };
}
