import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';

/** `text` is ordered by its UTF-8 bytes, `instant` is in milliseconds since the Unix epoch, and `?` can be null. */
export type ColumnType = 'text' | 'text?' | 'integer' | 'integer?' | 'instant' | 'instant?';

export interface TableRules {
  key?: string[];
  unique?: string[][];
  /** Column → the table whose `id` it contains. A row that others refer to cannot be deleted. */
  needs?: Record<string, string>;
  /** Column → the table whose `id` it contains. The row is deleted with the one it refers to. */
  follows?: Record<string, string>;
  indexes?: string[][];
}

/** Creates the same table on both engines. Constraints are named `table:column,column`, which postgres/errors.ts reads. */
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

/** The rows of a partial index. A query uses it if it contains the same conditions literally; the planner does not know the values of parameters. */
export interface Part {
  readonly name: string;
  readonly where: RawBuilder<SqlBool>;
}

/** For columns of existing tables. A new table has its own list. */
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

/** Adds a column to a table that may have rows. A column that cannot be null needs a default. */
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

/** For columns of existing tables. A new table has constraints. */
export async function makeUnique(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(named(table, columns)).unique().on(table).columns(columns).execute();
}

type BareType = 'text' | 'integer' | 'instant';
const bare = (type: ColumnType): BareType => type.replace('?', '') as BareType;

function typesOf(db: Kysely<unknown>) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // Otherwise PostgreSQL would order by the rules of a language, and its lists would differ from those of SQLite.
    return { text: sql`text collate "C"`, integer: sql`integer`, instant: sql`bigint`, end: undefined };
  }
  // With `strict`, SQLite checks the types, as PostgreSQL does.
  return { text: sql`text`, integer: sql`integer`, instant: sql`integer`, end: sql`strict` };
}

/** PostgreSQL would truncate a longer name silently, and two names could become equal. */
const LONGEST_NAME = 63;

function named(table: string, columns: string[], ...rest: string[]): string {
  const name = `${table}:${columns.join(',')}${rest.join('')}`;
  if (name.length > LONGEST_NAME) throw new Error(`The name ${name} is longer than PostgreSQL allows.`);
  return name;
}
