import type { Compilable, CompiledQuery, DeleteResult, InsertResult, MergeResult, UpdateResult } from 'kysely';
import type { Executor } from './engine.ts';
import { getStatementGroups } from './postgres/statement-groups.ts';
import { type Tables, tables } from './schema.ts';
import { getDirectSqliteAccess, type Statement } from './sqlite/driver.ts';

type ResultRow<O> = O extends InsertResult | UpdateResult | DeleteResult | MergeResult ? never : O;

/** An entity as JSON, and the values of sort columns other than the id. */
export type PageRow = readonly [json: string, ...position: string[]];

export interface Prepared<P, O> {
  (executor: Executor, params: P): Promise<readonly ResultRow<O>[]>;
  first(executor: Executor, params: P): Promise<ResultRow<O> | undefined>;
  /** Returns rows as arrays in `select` order, because for many rows, arrays are faster than objects. */
  tuples<T extends readonly unknown[]>(executor: Executor, params: P): Promise<T[]>;
  /** Returns the number of rows that a write without `returning` changed. */
  executeWrite(executor: Executor, params: P): Promise<number>;
}

/**
 * Compiles a query once per engine. `build` gets placeholders instead of values, and must pass them to Kysely unchanged. The SQL is the
 * same for all values, so `in` lists and branches are not possible. On PostgreSQL, equal reads outside transactions may share one execution.
 * @example const byId = prepareQuery((db, p: { id: string }) => db.selectFrom('users').select('json').where('id', '=', p.id));
 * @param options.remembers whether to cache results until a write to one of the query's tables; has no effect on PostgreSQL, where other
 * processes can write
 */
export function prepareQuery<P extends object, O>(
  build: (db: Executor, p: P) => Compilable<O>,
  { remembers = false }: { readonly remembers?: boolean } = {},
): Prepared<P, O> {
  const byEngine = new Map<unknown, QueryTemplate>();
  const all = remembers ? 'allCached' : 'all';

  function bind(executor: Executor, params: P): BoundQuery {
    // The adapter's class identifies the engine, inside and outside transactions.
    const engine = executor.getExecutor().adapter.constructor;
    let template = byEngine.get(engine);
    if (template === undefined) {
      template = toTemplate(build(executor, createPlaceholders<P>()).compile());
      byEngine.set(engine, template);
    }
    const direct = getDirectSqliteAccess(executor);
    // The open transaction's own queries bypass Kysely's queue. If no transaction is open, reads bypass it, too.
    const isDirect = direct !== undefined && (executor.isTransaction || (template.reads && !direct.inTransaction));
    const values = bindValues(template, params as Record<string, unknown>);
    return { statement: isDirect ? direct.prepare(template.compiled.sql) : undefined, values, template };
  }

  function execute(executor: Executor, { template, values }: BoundQuery): Promise<Result<ResultRow<O>>> {
    const { compiled, reads } = template;
    const groups = reads ? getStatementGroups(executor) : undefined;
    return groups ? groups.read(compiled.sql, values) : executor.executeQuery({ ...compiled, parameters: values });
  }

  // These functions repeat code, because sharing it in an async function would make small queries take twice as long.
  async function query(executor: Executor, params: P) {
    const bound = bind(executor, params);
    if (bound.statement) return bound.statement[all](bound.values) as ResultRow<O>[];
    return (await execute(executor, bound)).rows;
  }
  async function first(executor: Executor, params: P) {
    const bound = bind(executor, params);
    if (bound.statement) return bound.statement[all](bound.values)[0] as ResultRow<O> | undefined;
    return (await execute(executor, bound)).rows[0];
  }
  async function tuples<T extends readonly unknown[]>(executor: Executor, params: P) {
    const bound = bind(executor, params);
    if (bound.statement) return bound.statement.allTuples(bound.values) as readonly unknown[] as T[];
    return (await execute(executor, bound)).rows.map((row) => Object.values(row as object) as unknown as T);
  }
  async function executeWrite(executor: Executor, params: P) {
    const bound = bind(executor, params);
    if (bound.statement) return Number(bound.statement.run(bound.values).changes);
    return Number((await execute(executor, bound)).numAffectedRows ?? 0n);
  }
  return Object.assign(query, { first, tuples, executeWrite });
}

/** Prepares a query for each `order` and each set of defined parameters. `build` receives only the defined parameters. */
export function prepareQueriesByParameters<P extends object, S extends string, O>(build: (db: Executor, p: P, order: S) => Compilable<O>) {
  const byShape = new Map<string, Prepared<P, O>>();
  return (params: P, order: S): Prepared<P, O> => {
    const given = Object.keys(params).filter((name) => params[name as keyof P] !== undefined);
    const key = [order, ...given].join();
    let query = byShape.get(key);
    if (query === undefined) {
      query = prepareQuery((db, p: P) => build(db, Object.fromEntries(given.map((name) => [name, p[name as keyof P]])) as P, order));
      byShape.set(key, query);
    }
    return query;
  };
}

const insertQueries = new Map<string, Prepared<readonly unknown[], InsertResult>>();

/** The possible numbers of rows in an insert. There are only a few, because each number needs a prepared statement. */
const ROWS_PER_INSERT = [64, 16, 4, 1] as const;

export const insertRow = <T extends keyof Tables>(tx: Executor, table: T, row: Tables[T]): Promise<void> => insertRows(tx, table, [row]);

export async function insertRows<T extends keyof Tables>(tx: Executor, table: T, rows: readonly Tables[T][]): Promise<void> {
  const columns = Object.keys(tables[table]) as (keyof Tables[T])[];
  for (let insertedCount = 0; insertedCount < rows.length; ) {
    const count = ROWS_PER_INSERT.find((size) => size <= rows.length - insertedCount)!;
    const batch = rows.slice(insertedCount, insertedCount + count);
    const values = batch.flatMap((row) => columns.map((column) => row[column]));
    await buildInsert(table, count).executeWrite(tx, values);
    insertedCount += count;
  }
}

function buildInsert(table: keyof Tables, count: number) {
  const key = `${table} ${count}`;
  let insert = insertQueries.get(key);
  if (insert === undefined) {
    const columns = Object.keys(tables[table]);
    insert = prepareQuery((db, p: readonly unknown[]) => {
      const createRow = (n: number) => Object.fromEntries(columns.map((column, index) => [column, p[n * columns.length + index]]));
      return db.insertInto(table).values(Array.from({ length: count }, (_, n) => createRow(n)) as never);
    });
    insertQueries.set(key, insert);
  }
  return insert;
}

interface Result<R> {
  readonly rows: readonly R[];
  readonly numAffectedRows?: bigint | undefined;
}

interface BoundQuery {
  /** Undefined on PostgreSQL. On SQLite, undefined for a write outside transactions, and for a read while another transaction is open. */
  readonly statement: Statement | undefined;
  readonly values: readonly unknown[];
  readonly template: QueryTemplate;
}

interface QueryTemplate {
  readonly compiled: CompiledQuery;
  readonly reads: boolean;
  /** Each value's parameter name; undefined for a constant. */
  readonly names: readonly (string | undefined)[];
}

function toTemplate(compiled: CompiledQuery): QueryTemplate {
  const names = compiled.parameters.map((value) => (value instanceof Placeholder ? value.name : undefined));
  return { compiled, reads: compiled.query.kind === 'SelectQueryNode', names };
}

function bindValues({ compiled, names }: QueryTemplate, params: Record<string, unknown>): unknown[] {
  return names.map((name, i) => {
    const value = name === undefined ? compiled.parameters[i] : params[name];
    if (value === undefined) throw new Error(`The prepared query's parameter "${name}" is missing: ${compiled.sql}`);
    return value;
  });
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`In a prepared query, the parameter "${this.name}" is only a placeholder. Pass it to Kysely unchanged.`);
  }
}

function createPlaceholders<P extends object>(): P {
  return new Proxy({} as P, { get: (_, name) => new Placeholder(String(name)) });
}
