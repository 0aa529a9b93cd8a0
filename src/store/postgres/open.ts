import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { createIdBoundary } from '../../clock/ids.ts';
import { announce } from '../changes.ts';
import type { Executor, OpenDatabase } from '../engine.ts';
import { isRetryable, StoreBusy, StoreUnavailable } from '../errors.ts';
import type { Tables } from '../schema.ts';
import { createSharedRates } from './rates.ts';
import { WATCH_CONNECTION_NAME, watchServer } from './watch.ts';

const CONNECTION_WAIT_MS = 3_000;
/**
 * The time limit of a statement, and of a pause between statements in a transaction, so that a paused replica does not hold locks forever.
 */
const STATEMENT_TIMEOUT_MS = 60_000;
const WAIT_TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect';

/** Error messages never contain the password. */
export async function openPostgres({ url, connections = 10 }: { url: string; connections?: number | undefined }): Promise<OpenDatabase> {
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

  async function connect(): Promise<pg.PoolClient> {
    try {
      const client = await watch.connect();
      busy = undefined;
      return client;
    } catch (error) {
      if (error instanceof StoreBusy) busy = error;
      throw error;
    }
  }

  const rates = createSharedRates(connect);

  async function close(): Promise<void> {
    rates.stop();
    await db.destroy();
    await watch.stop();
  }

  async function writeWithLock<T>(lock: RawBuilder<unknown>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, announced } = await db.transaction().execute(async (tx) => {
          await lock.execute(tx);
          return { result: await work(tx), announced: await watch.notify(tx) };
        });
        watch.changes.report(announced);
        return result;
      } catch (error) {
        if (attempt === MAX_WRITE_ATTEMPTS || !isRetryable(error)) throw error;
        await pause(2 ** attempt);
      }
    }
  }

  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }) });
  try {
    await refuseOtherEncodings(db, description);
    await refusePoolers(watch, description);
  } catch (error) {
    await close();
    throw explainDriverError(error, url, description);
  }
  watch.start();
  return {
    db,
    engine: 'postgres',
    read: (work) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work) => writeWithLock(sql`select pg_advisory_xact_lock_shared(${WORLD_LOCK})`, work),
    writeExclusively: (work) =>
      writeWithLock(sql`select pg_advisory_xact_lock(${WORLD_LOCK})`, async (tx) => {
        announce(tx, 'due');
        await sql`set local statement_timeout = 0`.execute(tx);
        return work(tx);
      }),
    findMinimumFutureId: (wallClockMs) => queryMinimumFutureId(db, wallClockMs),
    replicas: () => countReplicas(db),
    changes: watch.changes,
    connections: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    rates,
    close,
    description,
    async check() {
      await watch.check();
      if (busy && pool.idleCount === 0 && pool.totalCount >= pool.options.max) throw busy;
    },
  };
}

/**
 * The key of an advisory lock: shared for writes, exclusive for a replacement of the world. Table locks could deadlock, because a
 * replacement locks tables in a different order than writes.
 */
const WORLD_LOCK = 0x78706b31;
const MAX_WRITE_ATTEMPTS = 6;

/** Allows for clock differences, and for ids that are created before their transaction starts. */
const SKEW_MARGIN_MS = 500;

async function queryMinimumFutureId(db: Executor, wallClockMs: number): Promise<string> {
  const { rows } = await sql<{ began: number | null }>`select floor(extract(epoch from min(xact_start)) * 1000)::bigint as began
    from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`.execute(db);
  return createIdBoundary(Math.min(wallClockMs, rows[0]?.began ?? wallClockMs) - SKEW_MARGIN_MS);
}

/** Counts this process even before it connects. */
async function countReplicas(db: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select greatest(count(*), 1) as count from pg_stat_activity
    where datname = current_database() and application_name = ${WATCH_CONNECTION_NAME}`.execute(db);
  return Number(rows[0]?.count);
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

async function refuseOtherEncodings(db: Kysely<Tables>, description: string): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new StoreUnavailable(
      `${description} has the encoding ${encoding}. Create a database with the encoding UTF8, because names can be in any script.`,
    );
}

/** A pooler such as PgBouncer in transaction mode accepts LISTEN, but drops notifications. */
async function refusePoolers(watch: { receivesNotifications(): Promise<boolean> }, description: string): Promise<void> {
  if (await watch.receivesNotifications()) return;
  throw new StoreUnavailable(
    `${description} does not deliver notifications (LISTEN), so replicas could not notify each other of changes. If a pooler runs in transaction or statement mode (PgBouncer: pool_mode), use its session mode, or the server's own address.`,
  );
}

function describeDatabase(url: string): string {
  const { host, user, database, port } = new pg.Client({ connectionString: url });
  return `the PostgreSQL database "${database}" at ${host}:${port} (user "${user}")`;
}

const CONNECTION_PROBLEMS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at this address. Start the server, or correct the host and port.',
  ENOTFOUND: 'there is no host with this name. Correct the host name.',
  EAI_AGAIN: 'the host name cannot be looked up at the moment.',
  ETIMEDOUT: 'the server does not respond.',
  '28P01': 'the password was refused.',
  '28000': 'the server does not allow this user to connect.',
  '3D000': 'there is no database with this name. Create it first, with the encoding UTF8.',
  '53300': "all of the server's connections are in use.",
};

/** Explains a driver error, without its `cause`, which can contain the password. */
function explainDriverError(error: unknown, url: string, description: string): Error {
  if (error instanceof StoreUnavailable) return error;
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as { code?: string; message?: string };
  const cause = CONNECTION_PROBLEMS[/timeout/i.test(String(message)) ? 'ETIMEDOUT' : (code ?? '')];
  return new Error(`Cannot use ${description}: ${cause ?? `${maskSecrets(String(message), url)}.`}`);
}

/** Masks the URL and `user:password@`, but not the password alone, because masking a common word would reveal that it is the password. */
export function maskSecrets(message: string, url: string): string {
  const { user = '', password } = new pg.Client({ connectionString: url });
  const { username, password: encoded } = new URL(url);
  const secrets = [url, `${username}:${encoded}@`, `${user}:${password}@`];
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}
