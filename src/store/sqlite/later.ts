import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** The tables whose rows may be inserted later. No statement of a transaction depends on these rows without naming their table. */
const TABLES = ['events', 'deliveries', 'delivery_attempts', 'inbox'] as const;
/** A table whose rows may be inserted later in the transaction. */
export type LaterTable = (typeof TABLES)[number];

/** The statements before which the rows must be inserted. Deleting a row of another table deletes no row of these tables. */
const NEEDS_ROWS = new RegExp(`\\b(?:${TABLES.join('|')})\\b|^\\s*commit\\b`, 'i');
/** Whether the rows must be inserted before this statement. */
export const needsRows = (sql: string): boolean => NEEDS_ROWS.test(sql);

/** The largest number of rows in one statement. A smaller number of rows is a statement of its own. */
const LARGEST = 16;

export type LaterRows = ReturnType<typeof createLaterRows>;

/**
 * Collects rows of the open transaction. They are inserted before the next statement that may depend on them, at the latest before the
 * commit. Transactions contain many writes (`groupCommit`), and one statement inserts many rows in less than half of the time of a
 * statement for each row.
 */
export function createLaterRows(prepare: (sql: string) => StatementSync) {
  const waiting = new Map<LaterTable, { readonly columns: string; readonly width: number; readonly values: SQLInputValue[] }>();

  function insertInto(table: LaterTable): void {
    const { columns, width, values } = waiting.get(table)!;
    const row = `(${Array(width).fill('?').join(', ')})`;
    for (let done = 0; done < values.length; ) {
      const part = values.slice(done, done + LARGEST * width);
      const rows = Array(part.length / width).fill(row);
      prepare(`insert into "${table}" (${columns}) values ${rows.join(', ')}`).run(...part);
      done += part.length;
    }
  }

  return {
    /** Adds a row with all columns. All rows of a table must name their columns in the same order. */
    add(table: LaterTable, row: object): void {
      let rows = waiting.get(table);
      if (rows === undefined) {
        const names = Object.keys(row);
        rows = { columns: names.map((name) => `"${name}"`).join(', '), width: names.length, values: [] };
        waiting.set(table, rows);
      }
      rows.values.push(...Object.values(row));
    },
    /** Inserts the rows. Rows of `TABLES` refer only to tables before their own. */
    insert(): void {
      if (waiting.size === 0) return;
      for (const table of TABLES) if (waiting.has(table)) insertInto(table);
      waiting.clear();
    },
    /** Drops the rows of a transaction that is rolled back. */
    drop: () => waiting.clear(),
  };
}
