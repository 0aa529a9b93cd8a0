import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { type Change, createChangeFeed, getAnnouncedChanges } from '../changes.ts';
import type { Tables } from '../schema.ts';
import { createHolds } from './holds.ts';
import { createTurns } from './turns.ts';

/**
 * The time between two probes, and the time limit of a probe. Pending requests fail after two failed probes, at most 2.5 seconds after an
 * outage begins.
 */
export const PROBE_INTERVAL_MS = 500;
const PROBE_TIMEOUT_MS = 1_000;
const REOPEN_DELAY_MS = 1_000;
/** The interval, in milliseconds, at which changes are reported even without a notification, because notifications can be lost. */
const SLOW_POLL_INTERVAL_MS = 30_000;
/** Reported when notifications may have been lost. */
const ALL_CHANGES: readonly Change[] = ['due', 'recorded', 'requests'];
const CHANNEL = 'xpk';
const NOTIFICATION_TIMEOUT_MS = 5_000;
export const WATCH_CONNECTION_NAME = 'xpk-watch';

/** The error code if the server allows no further connection. Probes ignore it, because the pool's open connections still work. */
const TOO_MANY_CONNECTIONS = '53300';

/**
 * Probes a database server and receives other replicas' changes, on a separate connection. If probes fail, closes all sockets, so that
 * pending queries fail even if the server is frozen. The pool has no `query_timeout`, because it would end long migrations.
 * @param unavailable a function that creates the error for failed requests; the error's message must not contain the password
 */
export function watchServer(config: pg.PoolConfig, unavailable: (cause: unknown) => Error) {
  const sockets = new Set<Socket>();
  const waiting = new Set<(error: Error) => void>();
  /** By the name of the feed. */
  const feeds = new Map<string, ReturnType<typeof createChangeFeed>>();
  const received = new EventEmitter();
  /** This replica's id, by which it recognizes and ignores its own notifications. */
  const replica = randomUUID();
  // `pipeline` lets a group of statements share a round trip.
  const pool = new pg.Pool({ ...config, stream: createSocket, pipeline: true });
  let downError: Error | undefined;
  let checking: Promise<void> | undefined;
  let connection: Promise<pg.Client> | undefined;
  let probeTimer: NodeJS.Timeout | undefined;
  let reopenTimer: NodeJS.Timeout | undefined;
  let slowPollTimer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const holds = createHolds(async (text, values) => queryInTurn(await getConnection(), text, values));

  function createSocket(): Socket {
    const socket = new Socket();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  }

  function getConnection(): Promise<pg.Client> {
    connection ??= openConnection().catch((error: unknown) => {
      connection = undefined;
      throw error;
    });
    return connection;
  }

  async function openConnection(): Promise<pg.Client> {
    // After `stop`, nothing would close a new connection.
    if (isStopped) throw new Error('The database was closed.');
    const limits = {
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAliveInitialDelayMillis: SLOW_POLL_INTERVAL_MS,
    };
    const client = new pg.Client({ ...config, ...limits, stream: createSocket, application_name: WATCH_CONNECTION_NAME });
    client.on('error', () => {});
    client.on('notification', ({ payload = '' }) => {
      const [, sender, announced = '', feed = ''] = /^(\S*) (\S*) (.*)$/.exec(payload) ?? [];
      if (sender !== replica) feeds.get(feed)?.report(announced.split(',') as Change[]);
      else received.emit('own');
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await holds.restore(client);
    } catch (error) {
      void client.end();
      throw error;
    }
    client.once('end', () => {
      connection = undefined;
      if (!isStopped) reopenTimer = setTimeout(reopen, REOPEN_DELAY_MS).unref();
    });
    for (const feed of feeds.values()) feed.report(ALL_CHANGES);
    return client;
  }

  /** Unlike the pool's, this connection sends only one query at a time. */
  const turns = createTurns(1);
  const queryInTurn = (client: pg.Client, text: string, values: readonly unknown[] = []) =>
    turns.run(() => client.query(text, [...values]));

  // If reopening fails, the next poll or probe tries again.
  const reopen = () => void getConnection().catch(() => {});

  /** @returns the error, or undefined if the server can be used */
  async function probe(): Promise<unknown> {
    try {
      const client = await getConnection();
      await queryInTurn(client, 'select 1').catch(async (error: unknown) => {
        // The connection may still receive this query's response, so it cannot be reused.
        await client.end();
        throw error;
      });
      return undefined;
    } catch (error) {
      return getErrorCode(error) === TOO_MANY_CONNECTIONS ? undefined : error;
    }
  }

  async function probeTwice(): Promise<void> {
    // A single probe can fail because this process is busy.
    const error = (await probe()) && (await probe());
    downError = error === undefined ? undefined : unavailable(error);
    if (downError === undefined) return;
    for (const socket of sockets) socket.destroy(downError);
    for (const reject of waiting) reject(downError);
  }

  function check(): Promise<void> {
    checking ??= probeTwice().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  function probeWhileInUse(): void {
    probeTimer ??= setTimeout(async () => {
      const isInUse = pool.totalCount > pool.idleCount || pool.waitingCount > 0;
      if (isInUse || downError) await check();
      probeTimer = undefined;
      if ((isInUse || downError) && !isStopped) probeWhileInUse();
    }, PROBE_INTERVAL_MS).unref();
  }

  return {
    pool,
    holds,
    /** Returns the changes that this replica and others report to a feed, such as a schema's. */
    openFeed(name: string) {
      const changes = createChangeFeed();
      feeds.set(name, changes);
      return { name, changes, close: () => void feeds.delete(name) };
    },
    /** Other feeds need no poll, because the replica that has changed a world sends its deliveries. */
    start(polledFeed: string): void {
      reopen();
      slowPollTimer = setInterval(() => {
        reopen();
        feeds.get(polledFeed)?.report(ALL_CHANGES);
      }, SLOW_POLL_INTERVAL_MS).unref();
    },
    /** Returns whether notifications from the pool arrive at the separate connection. */
    async receivesNotifications(): Promise<boolean> {
      await getConnection();
      const arrives = once(received, 'own', { signal: AbortSignal.timeout(NOTIFICATION_TIMEOUT_MS) }).then(
        () => true,
        () => false,
      );
      await pool.query('select pg_notify($1, $2)', [CHANNEL, formatPayload([], '', replica)]);
      return arrives;
    },
    async stop(): Promise<void> {
      isStopped = true;
      for (const timer of [probeTimer, reopenTimer, slowPollTimer]) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await checking;
    },
    /** Notifies other replicas of the transaction's changes (see `announce`) when it is committed. */
    async notify(tx: Transaction<Tables>, feed: string): Promise<readonly Change[]> {
      const announced = getAnnouncedChanges(tx);
      if (announced.length > 0) await createNotification(formatPayload(announced, feed, replica)).execute(tx);
      return announced;
    },
    /** Returns SQL that notifies other replicas. */
    createNotifySql: (changes: readonly Change[], feed: string): string =>
      `pg_notify('${CHANNEL}', ${pg.escapeLiteral(formatPayload(changes, feed, replica))})`,
    /** Throws an error if the server cannot be used. */
    async check(): Promise<void> {
      if (!downError) await check();
      if (!downError) return;
      // Without a probe, the error would remain until the next query.
      probeWhileInUse();
      throw downError;
    },
    /** Rejects as soon as probes fail. */
    async connect(): Promise<pg.PoolClient> {
      probeWhileInUse();
      if (downError) throw downError;
      const connecting = pool.connect();
      const { promise: outage, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      try {
        return await Promise.race([connecting, outage]);
      } catch (error) {
        connecting.then(
          (client) => client.release(),
          () => {},
        );
        throw unavailable(error);
      } finally {
        waiting.delete(reject);
      }
    },
  };
}

/**
 * A notification's payload.
 * @param sender the replica's id. Without an id, the replica receives its own notification.
 */
export const formatPayload = (changes: readonly Change[], feed: string, sender = ''): string => `${sender} ${changes.join()} ${feed}`;

export const createNotification = (payload: string) => sql`select pg_notify(${CHANNEL}, ${payload})`;

const getErrorCode = (error: unknown) => (error as { code?: unknown }).code;
