import pg from 'pg';
import { StoreBusy, StoreUnavailable } from '../errors.ts';
import { describeDatabase, explainDriverError } from './explain.ts';
import { watchServer } from './watch.ts';

const CONNECTION_WAIT_MS = 3_000;
/**
 * The time limit of a statement, and of a pause between statements in a transaction, so that a paused replica does not hold locks forever.
 */
const STATEMENT_TIMEOUT_MS = 60_000;
/** The server caches the tables that a connection has used: 0.6 MB for each world. */
const MAX_SCHEMAS = 32;
const WAIT_TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect';

export type Server = Awaited<ReturnType<typeof openServer>>;

/** Opens the connections of a process to a database, which all its worlds share. Error messages never contain the password. */
export async function openServer(url: string, connections = 10) {
  const description = describeDatabase(url);
  const config: pg.PoolConfig = {
    connectionString: url,
    types: typeParsers,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    max: connections,
    keepAlive: true,
    application_name: 'xpk',
    onConnect: (client) =>
      client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`),
  };
  const watch = watchServer(config, (cause) => {
    if ((cause as Error).message === WAIT_TIMEOUT_MESSAGE)
      return new StoreBusy(`Cannot use ${description}: all ${pool.options.max} connections are busy.`);
    return new StoreUnavailable(explainDriverError(cause, url, description).message);
  });
  const { pool } = watch;
  // Without a listener, a broken connection's `error` event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  let busy: StoreBusy | undefined;
  /** What the worlds besides the first one have used each connection for. */
  const uses = new WeakMap<pg.PoolClient, { current: string | undefined; readonly schemas: Set<string> }>();

  async function getClient(): Promise<pg.PoolClient> {
    try {
      const client = await watch.connect();
      busy = undefined;
      return client;
    } catch (error) {
      if (error instanceof StoreBusy) busy = error;
      throw error;
    }
  }

  /** Returns a connection whose statements use a schema's tables. Without a schema, they use those of the first world. */
  async function connect(schema?: string): Promise<pg.PoolClient> {
    const client = await getClient();
    const use = uses.get(client) ?? { current: undefined, schemas: new Set() };
    if (use.current === schema) return client;
    if (schema !== undefined && use.schemas.add(schema).size > MAX_SCHEMAS) {
      client.release(true);
      return connect(schema);
    }
    try {
      await client.query(
        schema === undefined
          ? 'reset search_path; reset application_name'
          : // The name shows whose transaction is open, because readers wait for the open transactions of their world.
            `set search_path = ${pg.escapeIdentifier(schema)}; set application_name = ${pg.escapeLiteral(`xpk ${schema}`)}`,
      );
    } catch (error) {
      client.release(true);
      throw error;
    }
    uses.set(client, { ...use, current: schema });
    return client;
  }

  let closing: Promise<void> | undefined;
  const close = () => (closing ??= pool.end().then(watch.stop));

  /** Runs statements that name the schemas of their tables. Several statements, without values, are one transaction. */
  async function query<R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const client = await getClient();
    try {
      return (await client.query<R>(text, [...values])).rows;
    } finally {
      client.release();
    }
  }

  try {
    const firstSchema = await readSchema(query, description);
    await refusePoolers(watch, description);
    return {
      description,
      /** The schema of the first world's tables. */
      firstSchema,
      watch,
      connect,
      query,
      maxConnections: connections,
      connections: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
      async check(): Promise<void> {
        await watch.check();
        if (busy && pool.idleCount === 0 && pool.totalCount >= pool.options.max) throw busy;
      },
      close,
    };
  } catch (error) {
    await close();
    throw explainDriverError(error, url, description);
  }
}

/** Convert large integers, which pg returns as strings. Throw if a number would be inexact. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 || type === pg.types.builtins.NUMERIC ? toNumber : pg.types.getTypeParser(type, format),
};

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  throw new RangeError(`The database returned ${text}, which is too large for a JavaScript number.`);
}

type Query = <R extends pg.QueryResultRow>(text: string) => Promise<R[]>;

/** Returns the schema in which a connection creates tables. Refuses a database with another encoding. */
async function readSchema(query: Query, description: string): Promise<string> {
  const [row] = await query<{ encoding: string; schema: string | null }>(
    `select current_setting('server_encoding') as encoding, current_schema() as schema`,
  );
  if (row!.encoding !== 'UTF8')
    throw new StoreUnavailable(
      `${description} has the encoding ${row!.encoding}. Create a database with the encoding UTF8, because names can be in any script.`,
    );
  // Without a schema, the first migration fails and explains it.
  return row!.schema ?? 'public';
}

/** A pooler such as PgBouncer in transaction mode accepts LISTEN, but drops notifications. */
async function refusePoolers(watch: { receivesNotifications(): Promise<boolean> }, description: string): Promise<void> {
  if (await watch.receivesNotifications()) return;
  throw new StoreUnavailable(
    `${description} does not deliver notifications (LISTEN), so replicas could not notify each other of changes. If a pooler runs in transaction or statement mode (PgBouncer: pool_mode), use its session mode, or the server's own address.`,
  );
}
