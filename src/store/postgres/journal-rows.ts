import { sql } from 'kysely';
import type { Database, Executor } from '../engine.ts';
import { createNotification, formatPayload } from './watch.ts';

export interface JournalRow {
  readonly traceId: string;
  readonly content: object;
}

/** The maximum number of rows per transaction. It must be less than 1024, so that positions stay unique. */
export const MAX_ROWS_PER_TRANSACTION = 250;

/** PostgreSQL does not decode the elements of a `json` parameter, so even `\u0000` is allowed. */
const createInsertSql = (rows: readonly JournalRow[], wallClockMs: number) => sql`
  insert into journal_entries (position, recorded_at, trace_id, content)
  select pg_current_xact_id()::text::bigint * 1024 + ordinality, ${wallClockMs}::bigint, (${rows.map(({ traceId }) => traceId)}::text[])[ordinality], value
  from json_array_elements(${JSON.stringify(rows.map(({ content }) => content))}::json) with ordinality`;

/** The caller announces the change. */
export async function insertRows(tx: Executor, rows: readonly JournalRow[], wallClockMs: number): Promise<void> {
  await createInsertSql(rows, wallClockMs).execute(tx);
}

/** Adds rows and announces the change, also to this replica. */
export async function addRows({ db, schema = '' }: Database, rows: readonly JournalRow[], wallClockMs: number): Promise<void> {
  await sql`with added as (${createInsertSql(rows, wallClockMs)}) ${createNotification(formatPayload(['requests'], schema))}`.execute(db);
}

/**
 * `settled`: no transaction can add a row below this position. `latest`: the value of `settled` after all currently open transactions have
 * ended.
 */
interface PositionLimits {
  readonly settled: number;
  readonly latest: number;
}

/** Ignores other programs' open transactions, because they add no rows and can stay open for hours. */
export async function readPositionLimits(db: Executor): Promise<PositionLimits> {
  const { rows } = await sql<PositionLimits>`
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

/** A row and its number, counted from the journal's first row, even if that row was removed. */
export interface NumberedRow extends JournalRow {
  readonly number: number;
}

/** A page of the journal. `removed` is the number of the last removed row, and `newest` the number of the newest row. */
interface JournalPart {
  readonly removed: number;
  readonly newest: number;
  readonly rows: readonly NumberedRow[];
}

interface PartColumns {
  readonly removed: number;
  readonly kept: number;
  readonly traceId: string | null;
  readonly content: object;
}

const createRowCountSql = (settledPosition: number) =>
  sql`select removed, (select count(*) from journal_entries where position < ${settledPosition}) as kept from journal`;

export async function readRowsAfter(db: Executor, number: number, limit: number, settledPosition: number): Promise<JournalPart> {
  const { rows } = await sql<PartColumns>`
    select removed, kept, trace_id as "traceId", content from (${createRowCountSql(settledPosition)}) as state left join lateral (
      select * from journal_entries where position < ${settledPosition}
      order by position offset greatest(${number}::bigint - removed, 0) limit ${limit}
    ) as one on true order by position`.execute(db);
  return toJournalPart(rows, ({ removed }, index) => Math.max(number, removed) + 1 + index);
}

export async function readRowsBefore(db: Executor, number: number, limit: number, settledPosition: number): Promise<JournalPart> {
  const { rows } = await sql<PartColumns>`
    select removed, kept, trace_id as "traceId", content from (${createRowCountSql(settledPosition)}) as state left join lateral (
      select * from journal_entries where position < ${settledPosition}
      order by position desc offset greatest(removed + kept + 1 - ${number}::bigint, 0) limit ${limit}
    ) as one on true order by position desc`.execute(db);
  return toJournalPart(rows, ({ removed, kept }, index) => Math.min(number, removed + kept + 1) - 1 - index);
}

function toJournalPart(rows: readonly PartColumns[], numberAt: (state: PartColumns, index: number) => number): JournalPart {
  const [first] = rows;
  const found = rows.filter(({ traceId }) => traceId !== null);
  return {
    removed: first!.removed,
    newest: first!.removed + first!.kept,
    rows: found.map((row, index) => ({ ...toJournalRow(row), number: numberAt(row, index) })),
  };
}

/** Reads a trace id's rows, newest first, even those above `PositionLimits.settled`. */
export async function readRowsOfTrace(db: Executor, traceId: string): Promise<readonly NumberedRow[]> {
  const { rows } = await sql<PartColumns & { number: number }>`
    select trace_id as "traceId", content,
      (select removed from journal) + (select count(*) from journal_entries other where other.position <= one.position) as number
    from journal_entries one where trace_id = ${traceId} order by position desc`.execute(db);
  return rows.map((row) => ({ ...toJournalRow(row), number: row.number }));
}

const toJournalRow = ({ traceId, content }: PartColumns): JournalRow => ({ traceId: traceId!, content });

/**
 * Removes rows recorded before `since` (wall time), and all but the newest `capacity` rows. Removes only rows below the position `settled`.
 */
export async function removeOldRows(db: Executor, capacity: number, since: number, { settled }: PositionLimits): Promise<void> {
  await removeRows(
    db,
    sql`position < ${settled} and position <= greatest(
    (select position from journal_entries order by position desc offset ${capacity} limit 1),
    (select max(position) from journal_entries where recorded_at < ${since}))`,
  );
}

export const removeAllRows = (db: Executor): Promise<void> => removeRows(db, sql`true`);

/** `condition` must match only the oldest rows, so that the numbers of the remaining rows do not change. */
async function removeRows(db: Executor, condition: ReturnType<typeof sql>): Promise<void> {
  await sql`with gone as (delete from journal_entries where ${condition} returning 1)
    update journal set removed = removed + (select count(*) from gone)`.execute(db);
}

export async function readIdentity(db: Executor): Promise<{ readonly run: string; readonly salt: string }> {
  const { rows } = await sql<{ run: string; salt: string }>`select run, salt from journal`.execute(db);
  return rows[0]!;
}
