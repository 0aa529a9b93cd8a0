import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import { createIdBoundary } from '../../clock/ids.ts';
import { announce } from '../changes.ts';
import type { Executor, OpenDatabase } from '../engine.ts';
import { isRetryable } from '../errors.ts';
import { type Migrations, migrations } from '../migrations.ts';
import type { Tables } from '../schema.ts';
import { createSharedRates } from './rates.ts';
import { openServer, type Server } from './server.ts';
import { createStatementGroups, setStatementGroups } from './statement-groups.ts';
import { createTurns } from './turns.ts';
import { WATCH_CONNECTION_NAME } from './watch.ts';
import { createSharedRecords } from './world-records.ts';

interface PostgresOptions {
  readonly url: string;
  readonly connections?: number | undefined;
  readonly known?: Migrations;
}

/** Opens the first world's tables. Error messages never contain the password. */
export async function openPostgres({ url, connections, known = migrations }: PostgresOptions) {
  const server = await openServer(url, connections);
  const records = createSharedRecords(server, (schema) => openSchema(server, schema), known);
  const first = openSchema(server);
  server.watch.start(server.firstSchema);
  // If it fails, the next creation of a world tries it again.
  records.removeLeftovers().catch(() => {});
  return {
    ...first,
    worlds: records,
    async close() {
      await first.close();
      records.close();
      await server.close();
    },
  } satisfies OpenDatabase & Record<string, unknown>;
}

/** Opens a world's tables. Without a schema, those of the first world. `close` does not close the connections. */
function openSchema(server: Server, schema?: string): OpenDatabase {
  const { watch, description, check, connections } = server;
  const name = schema ?? server.firstSchema;
  const connect = schema === undefined ? () => server.connect() : limitConnections(server, schema);
  const { changes, close: closeFeed } = watch.openFeed(name);
  const groups = createStatementGroups(connect);
  const rates = createSharedRates(groups.execute);
  const lock = schema === undefined ? sql.lit(WORLD_LOCK) : sql`hashtextextended(${schema}, ${WORLD_LOCK})`;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {}, options: {} } }) });
  setStatementGroups(db, groups);

  async function writeWithLock<T>(statement: RawBuilder<unknown>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, announced } = await db.transaction().execute(async (tx) => {
          await statement.execute(tx);
          return { result: await work(tx), announced: await watch.notify(tx, name) };
        });
        changes.report(announced);
        return result;
      } catch (error) {
        if (attempt === MAX_WRITE_ATTEMPTS || !isRetryable(error)) throw error;
        await pause(2 ** attempt);
      }
    }
  }

  return {
    db,
    engine: 'postgres',
    schema: name,
    read: (work) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work) => writeWithLock(sql`select pg_advisory_xact_lock_shared(${lock})`, work),
    writeExclusively: (work) =>
      writeWithLock(sql`select pg_advisory_xact_lock(${lock})`, async (tx) => {
        announce(tx, 'due');
        await sql`set local statement_timeout = 0`.execute(tx);
        return work(tx);
      }),
    findMinimumFutureId: (wallClockMs) => queryMinimumFutureId(db, wallClockMs),
    replicas: () => countReplicas(db),
    changes,
    connections,
    rates,
    async close() {
      rates.stop();
      closeFeed();
      await db.destroy();
    },
    description,
    check,
  };
}

/** Limits a world's connections, so that requests that wait in one world leave connections to the others. */
function limitConnections({ connect, maxConnections }: Server, schema: string) {
  const turns = createTurns(Math.max(2, Math.floor(maxConnections / 2)));
  return async (): Promise<pg.PoolClient> => {
    const leave = await turns.enter();
    try {
      const client = await connect(schema);
      const { release } = client;
      client.release = (error) => {
        leave();
        release.call(client, error);
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
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
