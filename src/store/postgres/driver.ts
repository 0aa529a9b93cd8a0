import { setTimeout as pause } from 'node:timers/promises';
import { type CompiledQuery, PostgresAdapter, PostgresDialect, type PostgresPoolClient, type QueryResult } from 'kysely';
import type pg from 'pg';
import type { Executor } from '../engine.ts';

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

function getPipeline(executor: Executor): PostgresPipeline | undefined {
  const { adapter, plugins } = executor.getExecutor();
  // A plugin, which only tests use, must see the query.
  return adapter instanceof PipelineAdapter && plugins.length === 0 ? adapter.pipeline : undefined;
}

/** Executes a prepared query. Reads outside transactions share round trips. */
export function executePrepared<O>(executor: Executor, compiled: CompiledQuery, values: readonly unknown[]): Promise<QueryResult<O>> {
  const pipeline = compiled.query.kind === 'SelectQueryNode' && !executor.isTransaction ? getPipeline(executor) : undefined;
  return pipeline ? pipeline.read<O>(compiled.sql, values) : executor.executeQuery<O>({ ...compiled, parameters: values });
}

/** After this time, in milliseconds, later statements use another connection, because a statement of the group is slow or waits for a lock. */
const SLOW_MS = 20;
/** The maximum number of statements in a group, which limits how long later statements wait. */
const MAX_GROUP_SIZE = 64;

interface Waiting {
  readonly create: () => pg.QueryConfig;
  readonly resolve: (result: Promise<pg.QueryResult>) => void;
}

/** Sends statements that arrive together in one round trip. Each statement is its own transaction. */
export function createStatementPipeline(connect: Connect) {
  const waiting: Waiting[] = [];
  let unsent = new Map<string, Promise<pg.QueryResult>>();
  let isSending = false;

  async function sendGroup(group: readonly Waiting[]): Promise<void> {
    const connecting = connect();
    const results = group.map(async ({ create }) => {
      // Before the connection is open, because afterwards no request may join the statement.
      const statement = create();
      return (await connecting).query(statement);
    });
    for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    await Promise.allSettled(results);
    // If connecting failed, each result is the error.
    await connecting.then(
      (client) => client.release(),
      () => {},
    );
  }

  async function sendWaiting(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      // Waits, so that statements of requests that have already arrived join this group.
      await new Promise(setImmediate);
      // Later reads may have to see changes that these statements do not see.
      unsent = new Map();
      const sending = sendGroup(waiting.splice(0, MAX_GROUP_SIZE));
      await Promise.race([sending, pause(SLOW_MS)]);
    }
    isSending = false;
  }

  function execute(create: () => pg.QueryConfig): Promise<pg.QueryResult> {
    const { promise, resolve } = Promise.withResolvers<pg.QueryResult>();
    waiting.push({ create, resolve });
    if (!isSending) void sendWaiting();
    return promise;
  }

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
    release: (isBroken?: boolean) => client.release(isBroken),
  }) as unknown as PostgresPoolClient;
