import type { ResponseCause } from '../contract/failure.ts';
import { type JournalRow, MAX_ROWS_PER_TRANSACTION } from '../store/postgres/journal-rows.ts';
import type { JournalEntry, RecordedRequest } from './entry.ts';

export interface RowContent {
  readonly entry: JournalEntry;
  readonly cause?: ResponseCause | undefined;
}

const BATCH_INTERVAL_MS = 50;
const RETRY_DELAY_MS = 1_000;
/** If more records are waiting, the oldest are dropped. */
const MAX_WAITING_RECORDS = 1_000;

interface BatchOptions {
  store(rows: readonly JournalRow[]): Promise<void>;
  /** The number of records stored between two `removeOld` calls. */
  readonly removeEvery: number;
  removeOld(): Promise<void>;
}

/** Stores records in batches, after the responses are sent. */
export function createBatches({ store, removeEvery, removeOld }: BatchOptions) {
  let waiting: RecordedRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | undefined;
  /** The `performance.now()` value from which the next batch may be stored. */
  let nextAt = 0;
  let storedSinceRemoval = 0;
  let isStopped = false;

  function schedule(): void {
    if (waiting.length === 0 || storing !== undefined || isStopped) return;
    timer ??= setTimeout(storeNext, Math.max(0, nextAt - performance.now())).unref();
  }

  function storeNext(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    storing ??= storeBatch(waiting.splice(0, MAX_ROWS_PER_TRANSACTION)).then(() => {
      storing = undefined;
      schedule();
    });
    return storing;
  }

  async function storeBatch(batch: readonly RecordedRequest[]): Promise<void> {
    nextAt = performance.now() + BATCH_INTERVAL_MS;
    try {
      await store(batch.map(toRow));
      handleStored(batch);
    } catch {
      // The responses were already sent, so an error only delays the records.
      putBack(batch);
      nextAt = performance.now() + RETRY_DELAY_MS;
    }
  }

  function putBack(batch: readonly RecordedRequest[]): void {
    waiting = [...batch, ...waiting].slice(-MAX_WAITING_RECORDS);
  }

  function handleStored(batch: readonly RecordedRequest[]): void {
    for (const recorded of batch) recorded.release?.();
    storedSinceRemoval += batch.length;
    if (storedSinceRemoval < removeEvery) return;
    storedSinceRemoval = 0;
    // If this call fails, the next call removes the remaining rows.
    removeOld().catch(() => {});
  }

  /** Never rejects, even if the database is unavailable. */
  async function flush(): Promise<void> {
    await storing;
    for (let left = waiting.length; left > 0; left -= MAX_ROWS_PER_TRANSACTION) if (waiting.length > 0) await storeNext();
  }

  return {
    add(recorded: RecordedRequest): void {
      waiting.push(recorded);
      if (waiting.length > MAX_WAITING_RECORDS) waiting.shift();
      schedule();
    },

    /**
     * Returns the records that are not stored yet, followed by `last`, so that the caller stores them in one transaction. The caller must
     * then call `end`.
     */
    takeWaiting(last: RecordedRequest) {
      const earlier = waiting.splice(0, MAX_ROWS_PER_TRANSACTION - 1);
      return {
        rows: [...earlier, last].map(toRow),
        end(committed: boolean): void {
          if (committed) handleStored([...earlier, last]);
          else {
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
