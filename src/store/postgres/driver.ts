import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseConnection, PostgresAdapter, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Executor } from '../engine.ts';
import { runInGroups } from '../group-commit.ts';

type Connect = () => Promise<pg.PoolClient>;
type Row = pg.QueryResultRow;

/** The names of the statements that each connection prepares once. PostgreSQL plans other statements each time. */
const statementNames = new Map<string, string>();

export function nameStatement(sql: string): void {
  // Another replica's migration may add a column, after which PostgreSQL refuses to execute a prepared `select *`.
  if (!sql.includes('*') && !statementNames.has(sql)) statementNames.set(sql, `s${statementNames.size}`);
}

/** Executes statements outside transactions without Kysely, whose connection waits for each result. */
export type PostgresPipeline = ReturnType<typeof createStatementPipeline>;

export function getPostgresPipeline(executor: Executor): PostgresPipeline | undefined {
  const { adapter, plugins } = executor.getExecutor();
  // A plugin, which only tests use, must see the query.
  return adapter instanceof PipelineAdapter && plugins.length === 0 ? adapter.pipeline : undefined;
}

const ownConnections = new WeakMap<Executor, DatabaseConnection>();

/**
 * Lets a transaction send prepared queries before earlier ones are answered. PostgreSQL executes them in the order of the calls, so a read
 * that is called after a lock sees the state after it. Kysely sends its other queries one at a time, and prepared queries that are called
 * later would overtake them, so await them.
 * The connection belongs to the transaction until it ends.
 */
export async function pipelineTransaction(tx: Executor): Promise<DatabaseConnection> {
  const connection = await tx.getExecutor().provideConnection(async (own) => own);
  ownConnections.set(tx, connection);
  return connection;
}

/** Undefined if Kysely must execute the transaction's queries. */
export const getOwnConnection = (tx: Executor): DatabaseConnection | undefined => ownConnections.get(tx);

/** After this time, in milliseconds, later statements use another connection, because a statement of the group is slow or waits for a lock. */
const SLOW_MS = 20;

interface Waiting {
  readonly create: () => pg.QueryConfig;
  readonly resolve: (result: Promise<pg.QueryResult>) => void;
}

/** Sends statements that arrive together in one round trip. Each statement is its own transaction. */
export function createStatementPipeline(connect: Connect) {
  let unsent = new Map<string, Promise<pg.QueryResult>>();

  const send = runInGroups(async (group: readonly Waiting[]) => {
    // Later reads may have to see changes that these statements do not see.
    unsent = new Map();
    const statements = group.map(({ create }) => create());
    // Not awaited: if connecting fails, the callers get the error, and the statements are not sent again.
    const connecting = connect();
    const results = statements.map(async (statement) => (await connecting).query(statement));
    for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    const settled = Promise.allSettled(results);
    void settled.then(async () => (await connecting).release()).catch(() => {});
    await Promise.race([settled, pause(SLOW_MS, undefined, { ref: false })]);
    return [];
  });
  const execute = (create: () => pg.QueryConfig) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      send({ create, resolve }).catch(reject);
    });

  return {
    /** @param statement called once, when no later request can join the statement */
    execute: execute as <R extends Row>(statement: () => pg.QueryConfig) => Promise<pg.QueryResult<R>>,
    /** Equal reads that are not sent yet share a statement, and its rows. */
    read<R>(text: string, values: readonly unknown[]): Promise<{ readonly rows: R[] }> {
      const name = statementNames.get(text);
      const key = `${name ?? text} ${JSON.stringify(values)}`;
      let result = unsent.get(key);
      if (result === undefined) {
        result = execute(() => ({ name, text, values: values as unknown[] }));
        unsent.set(key, result);
      }
      return result;
    },
  };
}

export class PipelineDialect extends PostgresDialect {
  readonly #pipeline: PostgresPipeline;

  constructor(connect: Connect, pipeline: PostgresPipeline) {
    super({ pool: { connect: async () => withStatementNames(await connect()), end: async () => {}, options: {} } });
    this.#pipeline = pipeline;
  }

  override createAdapter(): PostgresAdapter {
    return new PipelineAdapter(this.#pipeline);
  }
}

class PipelineAdapter extends PostgresAdapter {
  readonly pipeline: PostgresPipeline;

  constructor(pipeline: PostgresPipeline) {
    super();
    this.pipeline = pipeline;
  }
}

/** Kysely passes only texts and values. */
const withStatementNames = (client: pg.PoolClient) =>
  ({
    query: (text: string, values: unknown[]) => client.query({ name: statementNames.get(text), text, values }),
    release: () => client.release(),
  }) as unknown as PostgresPoolClient;
