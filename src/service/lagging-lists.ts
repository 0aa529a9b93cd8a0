import { sql } from 'kysely';
import type { Clock } from '../clock/clock.ts';
import type { Executor } from '../store/engine.ts';
import { insertRow } from '../store/prepared.ts';
import { openStore, type Store } from '../store/store.ts';
import type { StateTable } from '../store/world-tables.ts';
import type { WorldState } from './world-state.ts';

export interface LaggingLists {
  readonly store: Store;
  getListDatabase(): Executor | Promise<Executor>;
  /** Closes the copy, not the store. */
  close(): Promise<void>;
}

/** The tables that the list queries read, and the tables to which these refer. */
const COPIED_TABLES = [
  ...['providers', 'experiences', 'experience_grants', 'accounts', 'principals', 'account_grants'],
  ...['assignments', 'connections'],
] as StateTable[];

/**
 * Makes lists lag behind writes (decision `lists.read-model-lag`): lists read a copy of `COPIED_TABLES`, which is renewed when it is older
 * than the lag, or when another world has been loaded.
 */
export async function openLaggingLists(store: Store, clock: Clock, world: Pick<WorldState, 'load'>, lagMs: number): Promise<LaggingLists> {
  if (lagMs === 0) return { store, getListDatabase: () => store.db, close: async () => {} };
  const copy = await openStore();
  // Foreign keys would prevent the replacement of a row, because the old row is deleted first.
  await sql`pragma foreign_keys = off`.execute(copy.db);
  // The copy lacks columns that a newer kit version has added to the store.
  const tables = await copy.db.introspection.getTables();
  const columns = new Map(tables.map((table) => [table.name, table.columns.map(({ name }) => name)]));
  /** Maps each row's JSON text to the row. */
  let copied = new Map<StateTable, Map<string, object>>();
  let copiedAt = Number.NEGATIVE_INFINITY;
  let copiedLoad = '';
  let renewing = Promise.resolve();

  async function renewIfOld(): Promise<void> {
    const now = clock.now();
    const { load } = world;
    const age = now - copiedAt;
    // After another world was loaded or kit time was set back, the copy is renewed.
    if (load === copiedLoad && age >= 0 && age < lagMs) return;
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
        // Delete before inserting, because a changed row has the same id as the old row.
        for (const row of listMissingRows(old, rows)) {
          const deletion = tx.deleteFrom(table).where(({ and }) => and(row));
          await deletion.execute();
        }
        for (const row of listMissingRows(rows, old)) await insertRow(tx, table, row as never);
      }
    });
    copied = current;
    copiedAt = now;
    copiedLoad = load;
  }
  const renew = () => (renewing = renewing.catch(() => {}).then(renewIfOld));

  return {
    store: {
      ...store,
      async write(work) {
        // Renew an old copy before the write, because otherwise the next list would renew it and show the write at once.
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

function listMissingRows(rows: Map<string, object>, others: Map<string, object>): object[] {
  return [...rows].flatMap(([json, row]) => (others.has(json) ? [] : [row]));
}
