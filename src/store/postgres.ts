import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import pg from 'pg';
import type { OpenDatabase } from './engine.ts';
import { type Watch, watchServer } from './postgres-watch.ts';
import type { Tables } from './schema.ts';
import { StoreBusy, StoreUnavailable } from './unavailable.ts';

/** Wall milliseconds that a request waits for a connection while all are in use. */
const WAIT_MS = 3_000;
/** How pg reports that this time is over. */
const WAITED = 'timeout exceeded when trying to connect';

/** Opens a PostgreSQL database and checks that it can be used. Messages name host, database and user, never the password. */
export async function openPostgres({ url }: { url: string }): Promise<OpenDatabase> {
  const place = describe(url);
  const config: pg.PoolConfig = {
    connectionString: url,
    types,
    connectionTimeoutMillis: WAIT_MS,
    keepAlive: true,
    application_name: 'xpk',
  };
  const watch = watchServer(config, (cause) => {
    if ((cause as Error).message === WAITED) return new StoreBusy(`Cannot use ${place}: all ${pool.options.max} connections are busy.`);
    return new StoreUnavailable(explain(cause, url, place).message);
  });
  const pool = new pg.Pool({ ...config, stream: watch.stream });
  const driver = new WatchedPostgresDriver(pool, watch);
  // A connection that breaks says so twice: to its query, which rejects, and here, where nobody listening would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    },
  });
  try {
    await refuseOtherEncodings(db, place);
  } catch (error) {
    await db.destroy();
    throw explain(error, url, place);
  }
  watch.start();
  return { db, where: place, check: () => driver.check() };
}

class WatchedPostgresDriver extends PostgresDriver {
  readonly #pool: pg.Pool;
  readonly #watch: Watch;
  /** Set if the last request for a connection got none in time. */
  #busy: StoreBusy | undefined;

  constructor(pool: pg.Pool, watch: Watch) {
    super({ pool });
    this.#pool = pool;
    this.#watch = watch;
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    try {
      const connection = await this.#watch.acquire(
        () => super.acquireConnection(options),
        (late) => this.releaseConnection(late as never),
      );
      this.#busy = undefined;
      return connection;
    } catch (error) {
      if (error instanceof StoreBusy) this.#busy = error;
      throw error;
    }
  }

  /** Throws why no request can be served at the moment. */
  async check(): Promise<void> {
    await this.#watch.check();
    const { idleCount, totalCount, options } = this.#pool;
    if (this.#busy && idleCount === 0 && totalCount >= options.max) throw this.#busy;
  }

  /** A rollback fails on a broken connection, which is then discarded. The error to report is the one that broke it. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection as never).catch(() => {});
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#watch.stop();
  }
}

/** Counts and sums come as text by default, since they might not fit a number. Ours do, and where not, an error is better than a wrong digit. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 || type === pg.types.builtins.NUMERIC ? toNumber : pg.types.getTypeParser(type, format),
};

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  throw new RangeError(`The database answered with ${text}, which a number cannot hold exactly.`);
}

async function refuseOtherEncodings(db: Kysely<Tables>, place: string): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new Refusal(`${place} is encoded in ${encoding}. Make one with encoding UTF8: names are in any script.`);
}

class Refusal extends Error {}

function describe(url: string): string {
  const { host, user, database, port } = new pg.Client({ connectionString: url });
  return `the PostgreSQL database "${database}" at ${host}:${port} (user "${user}")`;
}

const CAUSES: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is the server running, and is it this host and port?',
  ENOTFOUND: 'there is no host of that name.',
  EAI_AGAIN: 'the name of the host cannot be looked up now.',
  ETIMEDOUT: 'the server does not answer.',
  '28P01': 'the password was refused.',
  '28000': 'the server does not let this user in.',
  '3D000': 'there is no database of that name. Make it first, with encoding UTF8.',
  '53300': 'the server has no connections left.',
};

/** The cause is put in words and not attached: an error that carries its connection would carry the password into a log. */
function explain(error: unknown, url: string, place: string): Error {
  if (error instanceof Refusal || error instanceof StoreUnavailable) return error;
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as { code?: string; message?: string };
  return new Error(`Cannot use ${place}: ${CAUSES[code ?? ''] ?? `${withoutSecrets(String(message), url)}.`}`);
}

/** Without the address or its part before the host, where a driver repeats them. Not without the password: a word masked in a sentence would tell it. */
export function withoutSecrets(message: string, url: string): string {
  const { user = '', password } = new pg.Client({ connectionString: url });
  const { username, password: encoded } = new URL(url);
  const secrets = [url, `${username}:${encoded}@`, `${user}:${password}@`];
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}
