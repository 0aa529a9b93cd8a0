import type { Compilable, CompiledQuery, DeleteResult, InsertResult, MergeResult, UpdateResult } from 'kysely';
import type { Executor } from './engine.ts';

/** A change without `returning` gives no rows: its type then has none to offer, and `change` gives the count. */
type Row<O> = O extends InsertResult | UpdateResult | DeleteResult | MergeResult ? never : O;

/** A query that is compiled at its first use on an engine, and from then on only given its values. */
export interface Prepared<P, O> {
  /** All rows. */
  (executor: Executor, params: P): Promise<Row<O>[]>;
  /** The first row, or undefined. */
  first(executor: Executor, params: P): Promise<Row<O> | undefined>;
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
  const execute = (executor: Executor, params: P) => {
    // The adapter's class stands for the engine; executors of a transaction share it with their database.
    const engine = executor.getExecutor().adapter.constructor;
    let shape = shapes.get(engine);
    if (shape === undefined) {
      shape = shapeOf(build(executor, placeholders<P>()).compile());
      shapes.set(engine, shape);
    }
    return executor.executeQuery<Row<O>>(fill(shape, params as Record<string, unknown>));
  };
  const query = async (executor: Executor, params: P) => (await execute(executor, params)).rows;
  return Object.assign(query, {
    first: async (executor: Executor, params: P) => (await execute(executor, params)).rows[0],
    change: async (executor: Executor, params: P) => Number((await execute(executor, params)).numAffectedRows ?? 0n),
  });
}

interface Shape {
  compiled: CompiledQuery;
  /** For each value of the query: the name of the parameter that gives it, or undefined where it is a constant. */
  names: (string | undefined)[];
}

function shapeOf(compiled: CompiledQuery): Shape {
  return { compiled, names: compiled.parameters.map((value) => (value instanceof Placeholder ? value.name : undefined)) };
}

function fill({ compiled, names }: Shape, params: Record<string, unknown>): CompiledQuery<never> {
  const parameters = new Array<unknown>(names.length);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const value = name === undefined ? compiled.parameters[i] : params[name];
    if (value === undefined) throw new Error(`The prepared query was not given its parameter "${name}": ${compiled.sql}`);
    parameters[i] = value;
  }
  return { query: compiled.query, queryId: compiled.queryId, sql: compiled.sql, parameters };
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
