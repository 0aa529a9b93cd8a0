import { sql } from 'kysely';
import type { Clock } from '../clock/clock.ts';
import type { Executor } from '../store/engine.ts';
import { insertRow } from '../store/prepared.ts';
import { openStore, type Store } from '../store/store.ts';
import type { StateTable } from '../store/world-tables.ts';

/** A store, and the database from which the lists of assignments and connections are read. */
export interface LaggingLists {
  readonly store: Store;
  getListDatabase(): Executor | Promise<Executor>;
  /** Closes the copy of the tables. Does not close the store. */
  close(): Promise<void>;
}

/** The tables that the list queries read, and the tables to which these tables refer. */
const COPIED_TABLES = [
  ...['providers', 'experiences', 'experience_grants', 'accounts', 'principals', 'account_grants'],
  ...['assignments', 'connections'],
] as StateTable[];

/**
 * Makes the lists of assignments and connections lag behind writes (decision `lists.read-model-lag`). Lists are read from a copy of the
 * tables. If the copy is older than the lag, it is renewed before the next read or write. Without the renewal before a write, the next list
 * would show the write immediately.
 */
export async function openLaggingLists(store: Store, clock: Clock, lagMs: number): Promise<LaggingLists> {
  if (lagMs === 0) return { store, getListDatabase: () => store.db, close: async () => {} };
  const copy = await openStore();
  // A changed row is deleted and inserted again, which foreign keys would prevent.
  await sql`pragma foreign_keys = off`.execute(copy.db);
  // The copy has only the columns that this kit version knows. In the store, a newer kit version may have added columns.
  const tables = await copy.db.introspection.getTables();
  const columns = new Map(tables.map((table) => [table.name, table.columns.map(({ name }) => name)]));
  /** The rows in the copy, by their JSON text. */
  let copied = new Map<StateTable, Map<string, object>>();
  let copiedAt = Number.NEGATIVE_INFINITY;
  let renewing = Promise.resolve();

  async function renewIfOld(): Promise<void> {
    const age = clock.now() - copiedAt;
    // A negative age means that kit time was set back, so the copy is renewed.
    if (age >= 0 && age < lagMs) return;
    copiedAt = clock.now();
    const current = new Map<StateTable, Map<string, object>>();
    await store.read(async (db) => {
      for (const table of COPIED_TABLES) {
        const rows: object[] = await db
          .selectFrom(table)
          .select(columns.get(table) as never[])
          .execute();
        current.set(table, new Map(rows.map((row) => [JSON.stringify(row), row])));
      }
    });
    await copy.write(async (tx) => {
      for (const [table, rows] of current) {
        const old = copied.get(table) ?? new Map<string, object>();
        // Deletions come first, because a changed row has the same id as the row that it replaces.
        for (const row of listMissingRows(old, rows)) {
          const deletion = tx.deleteFrom(table).where(({ and }) => and(row));
          await deletion.execute();
        }
        for (const row of listMissingRows(rows, old)) await insertRow(tx, table, row as never);
      }
    });
    copied = current;
  }
  const renew = () => (renewing = renewing.catch(() => {}).then(renewIfOld));

  return {
    store: {
      ...store,
      async write(work) {
        await renew();
        return store.write(work);
      },
    },
    async getListDatabase() {
      await renew();
      return copy.db;
    },
    close: () => copy.close(),
  };
}

/** Returns the rows whose JSON text is not in `others`. */
function listMissingRows(rows: Map<string, object>, others: Map<string, object>): object[] {
  return [...rows].flatMap(([json, row]) => (others.has(json) ? [] : [row]));
}
