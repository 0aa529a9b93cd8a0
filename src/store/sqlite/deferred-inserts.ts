import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Inserts into these tables are delayed until a commit or a statement that contains one of these table names. */
const DEFERRED_TABLES = ['events', 'deliveries', 'delivery_attempts', 'inbox'] as const;
export type DeferredTable = (typeof DEFERRED_TABLES)[number];

const NEEDS_DEFERRED_ROWS = new RegExp(`\\b(?:${DEFERRED_TABLES.join('|')})\\b|^\\s*commit\\b`, 'i');
export const needsDeferredRows = (sql: string): boolean => NEEDS_DEFERRED_ROWS.test(sql);

const MAX_ROWS_PER_STATEMENT = 16;

export type DeferredInserts = ReturnType<typeof createDeferredInserts>;

/** Collects rows until a statement depends on them, because inserting many rows at once takes less than half the time. */
export function createDeferredInserts(prepare: (sql: string) => StatementSync) {
  const waiting = new Map<DeferredTable, { readonly columns: string; readonly columnCount: number; readonly values: SQLInputValue[] }>();

  function insertInto(table: DeferredTable): void {
    const { columns, columnCount, values } = waiting.get(table)!;
    const row = `(${Array(columnCount).fill('?').join(', ')})`;
    for (let insertedCount = 0; insertedCount < values.length; ) {
      const batch = values.slice(insertedCount, insertedCount + MAX_ROWS_PER_STATEMENT * columnCount);
      const rows = Array(batch.length / columnCount).fill(row);
      prepare(`insert into "${table}" (${columns}) values ${rows.join(', ')}`).run(...batch);
      insertedCount += batch.length;
    }
  }

  return {
    /** Adds a row with all columns. All rows of a table must have the same column order. */
    add(table: DeferredTable, row: object): void {
      let rows = waiting.get(table);
      if (rows === undefined) {
        const names = Object.keys(row);
        rows = { columns: names.map((name) => `"${name}"`).join(', '), columnCount: names.length, values: [] };
        waiting.set(table, rows);
      }
      rows.values.push(...Object.values(row));
    },
    /** Inserts the tables' rows in the order of `DEFERRED_TABLES`, so that referenced rows come first. */
    insert(): void {
      if (waiting.size === 0) return;
      for (const table of DEFERRED_TABLES) if (waiting.has(table)) insertInto(table);
      waiting.clear();
    },
    drop: () => waiting.clear(),
  };
}
