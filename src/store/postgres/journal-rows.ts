import { sql } from 'kysely';
import type { Executor } from '../engine.ts';
import { CHANNEL } from './watch.ts';

/** A row of the journal. `content` is stored as JSON. */
export interface JournalRow {
  readonly traceId: string;
  readonly content: object;
}

/** The largest number of rows that one transaction may add. A position has room for 1024. */
export const MAX_ROWS = 250;

/**
 * The content of all rows is one parameter of type `json`. PostgreSQL copies its elements without decoding them, so they may contain any
 * characters, even `\u0000`.
 */
const insertion = (rows: readonly JournalRow[], wall: number) => sql`
  insert into journal_entries (position, recorded_at, trace_id, content)
  select pg_current_xact_id()::text::bigint * 1024 + ordinality, ${wall}::bigint, (${rows.map(({ traceId }) => traceId)}::text[])[ordinality], value
  from json_array_elements(${JSON.stringify(rows.map(({ content }) => content))}::json) with ordinality`;

/** Adds rows in a transaction. The caller announces the change. @param wall wall time, in milliseconds since the Unix epoch */
export async function insertRows(tx: Executor, rows: readonly JournalRow[], wall: number): Promise<void> {
  await insertion(rows, wall).execute(tx);
}

/** Adds rows and announces them, with one statement. The payload has no id of a replica, so it reaches this replica, too. */
export async function addRows(db: Executor, rows: readonly JournalRow[], wall: number): Promise<void> {
  await sql`with added as (${insertion(rows, wall)}) select pg_notify(${CHANNEL}, ' requests')`.execute(db);
}

/** No transaction of a replica will add a row with a position below `settled`. `latest` is the value without open transactions. */
export interface Horizon {
  readonly settled: number;
  readonly latest: number;
}

/**
 * Reads the horizon. Transactions can end in another order than they got their ids, so a reader that continues after the last row that it
 * has seen reads up to the horizon only. Only transactions of this kit count: others, even in other databases of the server, can be open for
 * hours. A reader must read the rows in a later statement, which sees all transactions that have ended until now.
 */
export async function readHorizon(db: Executor): Promise<Horizon> {
  const { rows } = await sql<Horizon>`
    select latest * 1024 as latest, coalesce(oldest, latest) * 1024 as settled from (
      select pg_snapshot_xmax(snapshot)::text::bigint as latest, (
        select min(id::text::bigint) from pg_snapshot_xip(snapshot) id where id::xid in (
          select backend_xid from pg_stat_activity
          where datname = current_database() and application_name = current_setting('application_name')
        )
      ) as oldest
      from pg_current_snapshot() snapshot
    ) as ids`.execute(db);
  return rows[0]!;
}

/** A row that was read, with its number. Numbers are consecutive: they count the removed rows and the rows with a lower position. */
export interface NumberedRow extends JournalRow {
  readonly number: number;
}

/** The rows of a part of the journal. `removed` is the highest number that was removed, and `newest` is the highest number. */
export interface JournalPart {
  readonly removed: number;
  readonly newest: number;
  readonly rows: readonly NumberedRow[];
}

interface Columns {
  readonly removed: number;
  readonly kept: number;
  readonly traceId: string | null;
  readonly content: object;
}

const state = (settled: number) =>
  sql`select removed, (select count(*) from journal_entries where position < ${settled}) as kept from journal`;

/** Reads at most `limit` settled rows with a number above `number`, the lowest first. */
export async function rowsAfter(db: Executor, number: number, limit: number, settled: number): Promise<JournalPart> {
  const { rows } = await sql<Columns>`
    select removed, kept, trace_id as "traceId", content from (${state(settled)}) as state left join lateral (
      select * from journal_entries where position < ${settled}
      order by position offset greatest(${number}::bigint - removed, 0) limit ${limit}
    ) as one on true order by position`.execute(db);
  return partOf(rows, ({ removed }, index) => Math.max(number, removed) + 1 + index);
}

/** Reads at most `limit` settled rows with a number below `number`, the highest first. */
export async function rowsBefore(db: Executor, number: number, limit: number, settled: number): Promise<JournalPart> {
  const { rows } = await sql<Columns>`
    select removed, kept, trace_id as "traceId", content from (${state(settled)}) as state left join lateral (
      select * from journal_entries where position < ${settled}
      order by position desc offset greatest(removed + kept + 1 - ${number}::bigint, 0) limit ${limit}
    ) as one on true order by position desc`.execute(db);
  return partOf(rows, ({ removed, kept }, index) => Math.min(number, removed + kept + 1) - 1 - index);
}

function partOf(rows: readonly Columns[], numberAt: (state: Columns, index: number) => number): JournalPart {
  const [first] = rows;
  const found = rows.filter(({ traceId }) => traceId !== null);
  return {
    removed: first!.removed,
    newest: first!.removed + first!.kept,
    rows: found.map((row, index) => ({ ...rowOf(row), number: numberAt(row, index) })),
  };
}

/** Reads the rows with a trace id, settled or not, the newest first. */
export async function rowsOfTrace(db: Executor, traceId: string): Promise<readonly NumberedRow[]> {
  const { rows } = await sql<Columns & { number: number }>`
    select trace_id as "traceId", content,
      (select removed from journal) + (select count(*) from journal_entries other where other.position <= one.position) as number
    from journal_entries one where trace_id = ${traceId} order by position desc`.execute(db);
  return rows.map((row) => ({ ...rowOf(row), number: row.number }));
}

const rowOf = ({ traceId, content }: Columns): JournalRow => ({ traceId: traceId!, content });

/** Removes all rows except the newest `capacity` rows, and rows that were recorded before `since` (wall time). */
export async function removeOldRows(db: Executor, capacity: number, since: number, { settled }: Horizon): Promise<void> {
  await remove(
    db,
    sql`position < ${settled} and position <= greatest(
    (select position from journal_entries order by position desc offset ${capacity} limit 1),
    (select max(position) from journal_entries where recorded_at < ${since}))`,
  );
}

export const removeAllRows = (db: Executor): Promise<void> => remove(db, sql`true`);

/** Removes rows. The rows must be the lowest rows, because the number of a row follows from the number of rows below it. */
async function remove(db: Executor, condition: ReturnType<typeof sql>): Promise<void> {
  await sql`with gone as (delete from journal_entries where ${condition} returning 1)
    update journal set removed = removed + (select count(*) from gone)`.execute(db);
}

/** Reads the id of the journal, which readers see, and the salt of its fingerprints, which they do not see. */
export async function readIdentity(db: Executor): Promise<{ readonly run: string; readonly salt: string }> {
  const { rows } = await sql<{ run: string; salt: string }>`select run, salt from journal`.execute(db);
  return rows[0]!;
}
