import { setTimeout as delay } from 'node:timers/promises';
import { announce } from '../store/changes.ts';
import * as table from '../store/postgres/journal-rows.ts';
import type { Store } from '../store/store.ts';
import { createBatches, type RowContent } from './batches.ts';
import type { JournalEntry, NumberedRecord } from './entry.ts';
import { DEFAULT_CAPACITY, type JournalStore } from './journal.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;
/** After storing this fraction of the capacity, a replica removes old rows. */
const REMOVAL_FRACTION = 0.25;
const OPEN_TRANSACTIONS_WAIT_MS = 50;
const FIND_WAIT_MS = 150;

/**
 * Opens the records that replicas share (docs/decisions/0010-shared-journal.md).
 * @param capacity the minimum number of records to keep
 */
export async function openSharedStore(database: Store, capacity = DEFAULT_CAPACITY): Promise<JournalStore> {
  const { db, changes } = database;
  const removeOld = async () => table.removeOldRows(db, capacity, Date.now() - RETENTION_MS, await table.readPositionLimits(db));
  const batches = createBatches({
    store: (rows) => table.addRows(database, rows, Date.now()),
    removeEvery: Math.ceil(capacity * REMOVAL_FRACTION),
    removeOld,
  });
  const { run, salt } = await table.readIdentity(db);
  await removeOld();

  async function readPage(read: typeof table.readRowsAfter, number: number, limit: number) {
    const { settled, latest } = await table.readPositionLimits(db);
    const { rows, removed, newest } = await read(db, number, limit, settled);
    return { records: rows.map(toNumberedRecord), removed, newest, isSettled: settled === latest };
  }

  return {
    run,
    salt,
    findWaitMs: FIND_WAIT_MS,
    add: batches.add,

    async addInTransaction(tx, recorded) {
      // The batch begins with records of earlier requests that are not stored yet.
      const batch = batches.takeWaiting(recorded);
      try {
        await table.insertRows(tx, batch.rows, Date.now());
      } catch (error) {
        batch.end(false);
        throw error;
      }
      announce(tx, 'requests');
      return batch.end;
    },

    async settle() {
      await batches.flush();
      const deadline = performance.now() + OPEN_TRANSACTIONS_WAIT_MS;
      const { latest } = await table.readPositionLimits(db);
      while ((await table.readPositionLimits(db)).settled < latest && performance.now() < deadline) await delay(5);
    },

    readBefore: (number, limit) => readPage(table.readRowsBefore, number, limit),
    readAfter: (number, limit) => readPage(table.readRowsAfter, number, limit),

    async readTrace(traceId) {
      // PostgreSQL rejects NUL characters.
      return traceId.includes('\0') ? [] : (await table.readRowsOfTrace(db, traceId)).map(toNumberedRecord);
    },

    async clear() {
      await batches.flush();
      await table.removeAllRows(db);
    },

    subscribe: (listener) => changes.subscribe((change) => change === 'requests' && listener()),
    stop: batches.stop,
  };
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
  };
  return { number, recorded };
}
