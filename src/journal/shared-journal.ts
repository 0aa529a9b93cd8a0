import { setTimeout as delay } from 'node:timers/promises';
import { announce } from '../store/changes.ts';
import { isUnavailable } from '../store/errors.ts';
import * as table from '../store/postgres/journal-rows.ts';
import type { Store } from '../store/store.ts';
import { createBatches, type RowContent } from './batches.ts';
import {
  createMatcher,
  DEFAULT_CAPACITY,
  DEFAULT_LIMIT,
  type Journal,
  type JournalEntry,
  type ListOptions,
  type NumberedRecord,
  toEntry,
  toSummary,
} from './journal.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;
/** After storing this fraction of the capacity, a replica removes old entries. */
const REMOVAL_FRACTION = 0.25;
const ENTRIES_PER_QUERY = 200;
const OPEN_TRANSACTIONS_WAIT_MS = 50;
const FIND_WAIT_MS = 150;
/** While transactions are open, `waitForEntry` reads again after this many milliseconds of wall time. */
const REREAD_DELAY_MS = 50;

/**
 * Opens the journal that replicas share (docs/decisions/0010-shared-journal.md).
 * @param options.capacity the minimum number of entries to keep
 */
export async function openSharedJournal(
  store: Store,
  { capacity = DEFAULT_CAPACITY }: { readonly capacity?: number | undefined } = {},
): Promise<Journal> {
  const { db, changes } = store;
  const { run, salt } = await table.readIdentity(db);
  const closing = new AbortController();
  const batches = createBatches({
    store: (rows) => table.addRows(db, rows, Date.now()),
    removeEvery: Math.ceil(capacity * REMOVAL_FRACTION),
    removeOld,
  });
  /** The newest entry's number; undefined if it may be outdated. */
  let known: Promise<number> | undefined;
  let lastKnown = 0;
  /** The number of journal changes so far. */
  let count = 0;
  changes.subscribe((change) => {
    if (change !== 'requests') return;
    known = undefined;
    count++;
  });
  await removeOld();

  async function removeOld(): Promise<void> {
    await table.removeOldRows(db, capacity, Date.now() - RETENTION_MS, await table.readPositionLimits(db));
  }

  /** Stores all entries that are not stored yet, and waits for open transactions. @returns the position up to which rows may be read */
  async function waitForOpenTransactions(): Promise<number> {
    await batches.flush();
    const started = performance.now();
    const { latest } = await table.readPositionLimits(db);
    for (;;) {
      const limits = await table.readPositionLimits(db);
      if (limits.settled >= latest) return limits.settled;
      if (performance.now() - started > OPEN_TRANSACTIONS_WAIT_MS) {
        // When the open transaction ends, stored entries become readable without another `requests` change.
        known = undefined;
        return limits.settled;
      }
      await delay(5);
    }
  }

  async function readNewest(): Promise<number> {
    const { newest } = await table.readRowsAfter(db, Number.MAX_SAFE_INTEGER, 0, await waitForOpenTransactions());
    lastKnown = newest;
    return newest;
  }

  async function select({ limit = DEFAULT_LIMIT, view, ...filter }: ListOptions) {
    const build = view === 'summary' ? toSummary : toEntry;
    const [matches, settledPosition, { since = 0 }] = [createMatcher(filter), await waitForOpenTransactions(), filter];
    const entries: JournalEntry[] = [];
    let newest: number | undefined;
    let before = filter.before ?? Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = await table.readRowsBefore(db, before, ENTRIES_PER_QUERY, settledPosition);
      newest ??= page.newest;
      for (const record of page.rows.map(toNumberedRecord)) if (entries.length < limit && matches(record)) entries.push(build(record));
      before = page.rows.at(-1)?.number ?? 0;
      if (entries.length >= limit || page.rows.length < ENTRIES_PER_QUERY || before <= since) return { entries, newest };
    }
  }

  /** @param seenCount the value of `count` when the caller last read the journal */
  async function waitForChange(seenCount: number, timeoutMs: number): Promise<void> {
    if (count !== seenCount) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    const end = changes.subscribe((change) => change === 'requests' && resolve());
    const abort = () => resolve();
    closing.signal.addEventListener('abort', abort);
    await promise;
    closing.signal.removeEventListener('abort', abort);
    end();
    clearTimeout(timer);
  }

  const journal: Journal = {
    run,
    salt,

    add(recorded) {
      known = undefined;
      batches.add(recorded);
    },

    async addInTransaction(tx, recorded) {
      // The batch begins with entries of earlier requests that are not stored yet.
      const batch = batches.takeWaitingEntries(recorded);
      try {
        await table.insertRows(tx, batch.rows, Date.now());
      } catch (error) {
        batch.end(false);
        throw error;
      }
      announce(tx, 'requests');
      return batch.end;
    },

    async readNewestNumber() {
      known ??= readNewest();
      const reading = known;
      try {
        return await reading;
      } catch (error) {
        if (known === reading) known = undefined;
        if (isUnavailable(error)) return lastKnown;
        throw error;
      }
    },

    async find(traceId) {
      // PostgreSQL rejects NUL characters.
      if (traceId.includes('\0')) return undefined;
      await batches.flush();
      const deadline = performance.now() + FIND_WAIT_MS;
      for (;;) {
        const seen = count;
        const [first, ...others] = (await table.readRowsOfTrace(db, traceId)).map(toNumberedRecord);
        if (first) return { entry: toEntry(first), cause: first.recorded.cause, others: others.map(toEntry) };
        const remainingMs = deadline - performance.now();
        if (remainingMs <= 0 || closing.signal.aborted) return undefined;
        await waitForChange(seen, remainingMs);
      }
    },

    list: async (filter = {}) => (await select(filter)).entries,

    async listAfter(number, limit) {
      const { settled: before, latest } = await table.readPositionLimits(db);
      const { rows, removed } = await table.readRowsAfter(db, number, limit, before);
      return {
        entries: rows.map((row) => toEntry(toNumberedRecord(row))),
        missed: Math.max(0, removed - number),
        isComplete: before === latest && rows.length < limit,
      };
    },

    async clear() {
      await batches.flush();
      await table.removeAllRows(db);
      known = undefined;
    },

    async waitForEntry(filter, timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      const matches = createMatcher(filter);
      let { since } = filter;
      if (since === undefined) {
        const { entries, newest } = await select({ ...filter, limit: 1 });
        if (entries[0]) return entries[0];
        since = newest;
      }
      for (;;) {
        const seen = count;
        await batches.flush();
        const { settled: before, latest } = await table.readPositionLimits(db);
        const { rows, removed } = await table.readRowsAfter(db, since, ENTRIES_PER_QUERY, before);
        const match = rows.map(toNumberedRecord).find(matches);
        if (match) return toEntry(match);
        since = rows.at(-1)?.number ?? Math.max(since, removed);
        const remainingMs = deadline - performance.now();
        if (remainingMs <= 0 || closing.signal.aborted) return undefined;
        if (rows.length < ENTRIES_PER_QUERY)
          await waitForChange(seen, before < latest ? Math.min(remainingMs, REREAD_DELAY_MS) : remainingMs);
      }
    },

    subscribe: (listener) => changes.subscribe((change) => change === 'requests' && listener()),

    close: () => closing.abort(),

    stop: batches.stop,
  };
  return journal;
}

function toNumberedRecord({ number, traceId, content }: table.NumberedRow): NumberedRecord {
  const { entry: stored, cause } = content as RowContent;
  const { method, path, operationId, status, credential, oauth } = stored;
  const recorded = {
    traceId,
    method,
    path,
    operationId,
    status,
    cause,
    credentials: [credential?.fingerprint, credential?.clientId, credential?.principalId, oauth?.clientId],
    buildEntry: (entryNumber: number) => ({ ...stored, number: entryNumber }),
    buildSummary(entryNumber: number): JournalEntry {
      const { request, response, oauth: _, nextCursor, ...summary } = stored;
      return { ...summary, number: entryNumber };
    },
    release() {},
  };
  return { number, recorded };
}
