import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';

/** `text` is ordered by its UTF-8 bytes, `instant` is milliseconds since the Unix epoch, `?` may be null. */
export type ColumnType = 'text' | 'text?' | 'integer' | 'integer?' | 'instant' | 'instant?';

export interface TableRules {
  key?: string[];
  unique?: string[][];
  /** Column → the table whose `id` it holds. A row that is still pointed at can not be deleted. */
  needs?: Record<string, string>;
  /** Column → the table whose `id` it holds. The row goes together with the one it points at. */
  follows?: Record<string, string>;
  indexes?: string[][];
}

/** Makes a table that is the same on both engines. Constraints are named `table:column,column`, which violations.ts reads. */
export async function createTable(
  db: Kysely<unknown>,
  table: string,
  columns: Record<string, ColumnType>,
  rules: TableRules,
): Promise<void> {
  const types = typesOf(db);
  let builder = db.schema.createTable(table);
  for (const [column, type] of Object.entries(columns)) {
    builder = builder.addColumn(column, types[bare(type)], (it) => (type.endsWith('?') ? it : it.notNull()));
  }
  if (rules.key) builder = builder.addPrimaryKeyConstraint(named(table, rules.key), rules.key as never);
  for (const unique of rules.unique ?? []) builder = builder.addUniqueConstraint(named(table, unique), unique as never);
  for (const [effect, targets] of [['restrict', rules.needs] as const, ['cascade', rules.follows] as const]) {
    for (const [column, target] of Object.entries(targets ?? {})) {
      const name = named(table, [column], '>', target);
      builder = builder.addForeignKeyConstraint(name, [column] as never, target, ['id'], (it) => it.onDelete(effect));
    }
  }
  await (types.end === undefined ? builder : builder.modifyEnd(types.end)).execute();
  for (const index of rules.indexes ?? []) await createIndex(db, table, index);
}

/** An index of some rows only. A query uses it where it has the same conditions, written out: values that are bound say nothing to a planner. */
export interface Part {
  readonly name: string;
  readonly where: RawBuilder<SqlBool>;
}

/** For columns that a later migration adds; a new table says its own. */
export async function createIndex(db: Kysely<unknown>, table: string, columns: string[], part?: Part): Promise<void> {
  const index = db.schema
    .createIndex(named(table, columns, ...(part ? [`:${part.name}`] : [])))
    .on(table)
    .columns(columns);
  await (part ? index.where(part.where) : index).execute();
}

export async function dropIndex(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema.dropIndex(named(table, columns)).execute();
}

/** Adds a column to a table that may have rows: what is not null there has a default. */
export async function addColumn(
  db: Kysely<unknown>,
  table: string,
  column: string,
  type: ColumnType,
  standard?: string | RawBuilder<number>,
): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(column, typesOf(db)[bare(type)], (it) => (type.endsWith('?') ? it : it.notNull().defaultTo(standard)))
    .execute();
}

/** For columns that a later migration adds; those of a new table are its constraints. */
export async function makeUnique(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(named(table, columns)).unique().on(table).columns(columns).execute();
}

type BareType = 'text' | 'integer' | 'instant';
const bare = (type: ColumnType): BareType => type.replace('?', '') as BareType;

function typesOf(db: Kysely<unknown>) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // Else PostgreSQL would order by the rules of a language, and its lists differ from SQLite's.
    return { text: sql`text collate "C"`, integer: sql`integer`, instant: sql`bigint`, end: undefined };
  }
  // Strict: SQLite then keeps to the types, as PostgreSQL does unasked.
  return { text: sql`text`, integer: sql`integer`, instant: sql`integer`, end: sql`strict` };
}

/** PostgreSQL would cut a longer name short without a word, and two names might become one. */
const LONGEST_NAME = 63;

function named(table: string, columns: string[], ...rest: string[]): string {
  const name = `${table}:${columns.join(',')}${rest.join('')}`;
  if (name.length > LONGEST_NAME) throw new Error(`The name ${name} is longer than PostgreSQL allows.`);
  return name;
}
