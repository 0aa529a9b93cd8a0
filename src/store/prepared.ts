import type { Compilable, CompiledQuery, DeleteResult, InsertResult, MergeResult, UpdateResult } from 'kysely';
import type { Executor } from './engine.ts';
import { type DirectAccess, directAccessOf } from './sqlite.ts';

/** A change without `returning` gives no rows: its type then has none to offer, and `change` gives the count. */
type Row<O> = O extends InsertResult | UpdateResult | DeleteResult | MergeResult ? never : O;

/** An entity as text, and its place in the order of a list. */
export type PageRow = readonly [json: string, ...position: string[]];

/** A query that is compiled at its first use on an engine, and from then on only given its values. */
export interface Prepared<P, O> {
  /** All rows. */
  (executor: Executor, params: P): Promise<Row<O>[]>;
  /** The first row, or undefined. */
  first(executor: Executor, params: P): Promise<Row<O> | undefined>;
  /** All rows, each as its values in the order in which the query selects them: for many rows at once. */
  tuples<T extends readonly unknown[]>(executor: Executor, params: P): Promise<T[]>;
  /** How many rows an insert, update or delete without `returning` changed. */
  change(executor: Executor, params: P): Promise<number>;
}

/**
 * Compiles a query once per engine and reuses it on the database and in transactions.
 *
 * `build` runs once: `p` then holds placeholders, not values, so it may pass them on but not look at them. What has no value in a query of
 * fixed text (an `in` list, a branch) does not belong here. Constants in the query stay constants.
 *
 * @example const byId = prepared((db, p: { id: string }) => db.selectFrom('users').select('json').where('id', '=', p.id));
 */
export function prepared<P extends object, O>(build: (db: Executor, p: P) => Compilable<O>): Prepared<P, O> {
  const shapes = new Map<unknown, Shape>();
  const shapeFor = (executor: Executor) => {
    // The adapter's class stands for the engine; executors of a transaction share it with their database.
    const engine = executor.getExecutor().adapter.constructor;
    let shape = shapes.get(engine);
    if (shape === undefined) {
      shape = shapeOf(build(executor, placeholders<P>()).compile());
      shapes.set(engine, shape);
    }
    return shape;
  };
  const execute = (executor: Executor, { compiled }: Shape, parameters: readonly unknown[]) =>
    executor.executeQuery<Row<O>>({ query: compiled.query, queryId: compiled.queryId, sql: compiled.sql, parameters });

  async function query(executor: Executor, params: P): Promise<Row<O>[]> {
    const shape = shapeFor(executor);
    const values = valuesOf(shape, params as Record<string, unknown>);
    const direct = directlyFor(executor, shape);
    if (direct) return direct.rows(shape.compiled.sql, values) as Row<O>[];
    return (await execute(executor, shape, values)).rows;
  }
  async function first(executor: Executor, params: P): Promise<Row<O> | undefined> {
    const shape = shapeFor(executor);
    const values = valuesOf(shape, params as Record<string, unknown>);
    const direct = directlyFor(executor, shape);
    if (direct) return direct.rows(shape.compiled.sql, values)[0] as Row<O> | undefined;
    return (await execute(executor, shape, values)).rows[0];
  }
  async function tuples<T extends readonly unknown[]>(executor: Executor, params: P): Promise<T[]> {
    const shape = shapeFor(executor);
    const values = valuesOf(shape, params as Record<string, unknown>);
    const direct = directlyFor(executor, shape);
    if (direct) return direct.tuples(shape.compiled.sql, values) as unknown as T[];
    return (await execute(executor, shape, values)).rows.map((row) => Object.values(row as object) as unknown as T);
  }
  async function change(executor: Executor, params: P): Promise<number> {
    const shape = shapeFor(executor);
    const values = valuesOf(shape, params as Record<string, unknown>);
    const direct = directlyFor(executor, shape);
    if (direct) return direct.change(shape.compiled.sql, values);
    return Number((await execute(executor, shape, values)).numAffectedRows ?? 0n);
  }
  return Object.assign(query, { first, tuples, change });
}

interface Shape {
  compiled: CompiledQuery;
  reads: boolean;
  /** For each value of the query: the name of the parameter that gives it, or undefined where it is a constant. */
  names: (string | undefined)[];
}

function shapeOf(compiled: CompiledQuery): Shape {
  const reads = compiled.query.kind === 'SelectQueryNode';
  return { compiled, reads, names: compiled.parameters.map((value) => (value instanceof Placeholder ? value.name : undefined)) };
}

/**
 * Direct access where nobody can be overtaken: in a transaction, which has the connection to itself, and for a single look from outside while no
 * transaction is open. Else the query has to wait for its turn.
 */
function directlyFor(executor: Executor, shape: Shape): DirectAccess | undefined {
  const direct = directAccessOf(executor);
  if (direct === undefined) return undefined;
  return executor.isTransaction || (shape.reads && !direct.inTransaction) ? direct : undefined;
}

function valuesOf({ compiled, names }: Shape, params: Record<string, unknown>): unknown[] {
  const parameters = new Array<unknown>(names.length);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const value = name === undefined ? compiled.parameters[i] : params[name];
    if (value === undefined) throw new Error(`The prepared query was not given its parameter "${name}": ${compiled.sql}`);
    parameters[i] = value;
  }
  return parameters;
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Text or arithmetic made of a placeholder would be compiled in for good: better to fail at the first use. */
  [Symbol.toPrimitive](): never {
    throw new Error(`In a prepared query the parameter "${this.name}" is only a placeholder: pass it on as it is.`);
  }
}

function placeholders<P extends object>(): P {
  return new Proxy({} as P, { get: (_, name) => new Placeholder(String(name)) });
}
