import { randomBytes } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { OpenDatabase } from '../engine.ts';
import { isLockConflict } from '../errors.ts';
import { createSchemaSql } from '../migrate.ts';
import type { Migrations } from '../migrations.ts';
import type { WorldRecord, WorldRecords, WorldRefusal, WorldSource } from '../world-records.ts';
import { createFreeSchemaLock } from './holds.ts';
import type { Server } from './server.ts';
import { createTurns } from './turns.ts';
import { createUseLog } from './use-log.ts';

/** The key of the advisory lock that keeps concurrent creations from exceeding the limit. */
const DIRECTORY_LOCK = 0x78706b34;
/** Longer than a replica waits for the requests to an ended world, so a replica that takes longer hangs. */
const REMOVAL_WAIT_MS = 8_000;
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
const COLUMNS = `schema as id, name, source as "from", label, world, created_at as "createdAt", used_at as "usedAt",
  idle_timeout as "idleTimeoutMs", used_at + idle_timeout - ${NOW} as "leftMs"`;

interface Row extends Omit<WorldRecord, 'label'> {
  readonly label: string | null;
}

/** Undoes the transaction that creates a world. */
class Refused extends Error {
  readonly reason: WorldRefusal;

  constructor(reason: WorldRefusal) {
    super(reason);
    this.reason = reason;
  }
}

type Query = <R extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<readonly R[]>;

/**
 * Creates the directory that replicas share. Each world has a schema (docs/decisions/0013-schemas-for-worlds.md).
 * @param openSchema opens a world's tables
 */
export function createSharedRecords(server: Server, openSchema: (schema: string) => OpenDatabase, known: Migrations) {
  const { query, watch, firstSchema } = server;
  const table = `${pg.escapeIdentifier(firstSchema)}.worlds`;
  const feed = watch.openFeed(`the worlds of ${firstSchema}`);
  const notify = watch.createNotifySql(['recorded'], feed.name);
  // Requests need connections, too.
  const concurrency = Math.max(1, Math.floor(server.maxConnections / 3));
  const creations = createTurns(concurrency);
  const removals = createTurns(concurrency);
  const uses = createUseLog((id, agoMs, world) => {
    const written = query(`update ${table} set used_at = greatest(used_at, ${NOW} - $2::bigint), world = $3 where schema = $1`, [
      id,
      Math.round(agoMs),
      world,
    ]);
    // The next use is written again.
    written.catch(() => {});
  });

  const toRecord = ({ label, ...row }: Row): WorldRecord => ({ ...row, label: label ?? undefined });

  /** Replicas that have the world open end its requests, and then release it. */
  async function end(condition: string, ...values: unknown[]): Promise<string[]> {
    const ended = await query<{ id: string }>(
      `with ended as (update ${table} set name = null where ${condition} returning schema as id) select id, ${notify} from ended`,
      values,
    );
    return ended.map(({ id }) => id);
  }

  async function refuse(name: string, maxWorlds: number, run: Query = query): Promise<WorldRefusal | undefined> {
    const [row] = await run<{ count: number; taken: boolean }>(
      `select count(*), coalesce(bool_or(name = $1), false) as taken from ${table} where name is not null`,
      [name],
    );
    return row!.taken ? 'taken' : row!.count >= maxWorlds ? 'full' : undefined;
  }

  /** @param waitMs how long to wait until no replica uses the schema. Undefined: do not wait */
  const drop = (schema: string, waitMs?: number) =>
    removals.run(() =>
      query(`-- No world's readers wait for this transaction.
        set local application_name = 'xpk drop'; set local lock_timeout = ${waitMs ?? REMOVAL_WAIT_MS};
        ${waitMs === undefined ? '' : createFreeSchemaLock(schema)};
        drop schema if exists ${pg.escapeIdentifier(schema)} cascade; delete from ${table} where schema = ${pg.escapeLiteral(schema)}`),
    );

  /** Removes what a process left that was killed while it ended a world. */
  async function removeLeftovers(): Promise<void> {
    const rows = await query<{ id: string }>(`select schema as id from ${table} where name is null`);
    for (const { id } of rows)
      await drop(id, 1).catch((error: unknown) => {
        // Another replica has not yet released it.
        if (!isLockConflict(error)) throw error;
      });
  }

  const records: WorldRecords = {
    refuse,

    async create({ name, from, label = null, world, idleTimeoutMs, source }, maxWorlds, fill) {
      await removeLeftovers();
      const schema = `w_${name.slice(0, 40)}_${randomBytes(4).toString('hex')}`;
      const database = openSchema(schema);
      const { seed, decisions } = source;
      const values = [schema, name, from, label, JSON.stringify(seed), JSON.stringify(decisions), world, idleTimeoutMs];
      try {
        // If the process is killed, nothing remains, because PostgreSQL also undoes the creation of tables.
        await creations.run(() =>
          database.writeExclusively(async (tx) => {
            const run: Query = async <R>(text: string, given: readonly unknown[] = []) =>
              (await tx.executeQuery<R>(CompiledQuery.raw(text, [...given]))).rows;
            await run(createSchemaSql(schema, known), []);
            await fill(tx);
            await run(`select pg_advisory_xact_lock(${DIRECTORY_LOCK})`, []);
            const refusal = await refuse(name, maxWorlds, run);
            if (refusal) throw new Refused(refusal);
            await run(
              `insert into ${table} (schema, name, source, label, seed, decisions, world, idle_timeout, created_at, used_at)
              values ($1, $2, $3, $4, $5, $6, $7, $8, ${NOW}, ${NOW})`,
              values,
            );
            await run(`select ${notify}`, []);
          }),
        );
      } catch (error) {
        if (error instanceof Refused) return error.reason;
        if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE) return 'forbidden';
        throw error;
      } finally {
        await database.close();
      }
      return undefined;
    },

    async open(name) {
      const [found] = await query<{ id: string }>(`select schema as id from ${table} where name = $1`, [name]);
      if (!found) return undefined;
      await watch.holds.take(found.id);
      // The world may have ended meanwhile.
      const rows = await query<Row & Record<keyof WorldSource, string>>(
        `select ${COLUMNS}, seed, decisions from ${table} where schema = $1 and name = $2`,
        [found.id, name],
      );
      if (rows[0]) {
        const { seed, decisions, ...row } = rows[0];
        const source = { seed: JSON.parse(seed) as WorldSource['seed'], decisions: JSON.parse(decisions) as object };
        return { record: toRecord(row), source, database: openSchema(row.id) };
      }
      await watch.holds.release(found.id);
      return undefined;
    },

    async release(id) {
      uses.forget(id);
      // If the connection is lost, so is the lock.
      await watch.holds.release(id).catch(() => {});
    },

    async list() {
      return (await query<Row>(`select ${COLUMNS} from ${table} where name is not null order by created_at, name`)).map(toRecord);
    },
    touch: uses.touch,
    end: async (name) => (await end('name = $1', name))[0],
    endIdle: () => end(`name is not null and used_at + idle_timeout <= ${NOW}`),

    async remove(id) {
      await drop(id, REMOVAL_WAIT_MS).catch((error: unknown) => {
        if (!isLockConflict(error)) throw error;
        return drop(id);
      });
    },

    subscribe: (listener) => feed.changes.subscribe((change) => change === 'recorded' && listener()),
  };
  return { ...records, removeLeftovers, close: uses.close };
}

/** A SQLSTATE code. */
const INSUFFICIENT_PRIVILEGE = '42501';
