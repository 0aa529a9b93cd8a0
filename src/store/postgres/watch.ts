import { Socket } from 'node:net';
import pg from 'pg';

/**
 * `EVERY_MS` is the time between two probes, and `ANSWER_MS` is the time limit of a probe, in milliseconds of wall time. Two probes in a
 * row must fail before requests are ended, so requests to a server that has stopped responding fail after at most 2.5 seconds.
 */
const EVERY_MS = 500;
const ANSWER_MS = 1_000;

/**
 * The error code if all connections of the server are in use. The error does not mean an outage, because the connections in the pool still
 * work.
 */
const TOO_MANY_CONNECTIONS = '53300';

/**
 * Probes a server on a separate connection. If a server freezes, its connections stay open, so queries would wait forever. A time limit for
 * each query would also end long migrations and resets. Instead, if the server does not respond to probes, all sockets are closed, which
 * ends all queries.
 * @param unavailable creates the error with which requests fail. The error must not contain the password.
 */
export function watchServer(config: pg.PoolConfig, unavailable: (cause: unknown) => Error) {
  const sockets = new Set<Socket>();
  const waiting = new Set<(error: Error) => void>();
  let down: Error | undefined;
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function stream(): Socket {
    const socket = new Socket();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  }

  const limits = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const probes = new pg.Pool({ ...config, ...limits, stream, application_name: 'xpk-probe' });
  probes.on('error', () => {});

  /** @returns the error of the probe; undefined if the server can be used */
  const probe = (): Promise<unknown> =>
    probes.query('select 1').then(
      () => undefined,
      (error: unknown) => (codeOf(error) === TOO_MANY_CONNECTIONS ? undefined : error),
    );

  async function probeTwice(): Promise<void> {
    // A failed probe is repeated, because a single probe can also fail if this process is busy or if an administrator closes the
    // connection.
    const error = (await probe()) && (await probe());
    down = error === undefined ? undefined : unavailable(error);
    if (down === undefined) return;
    for (const socket of sockets) socket.destroy(down);
    for (const reject of waiting) reject(down);
  }

  /** Starts a check, or returns the promise of the check in progress. A second check would have to wait for the only connection. */
  function check(): Promise<void> {
    checking ??= probeTwice().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  return {
    /** Creates a socket for a connection of the pool. */
    stream,
    /** Starts probing the server at regular intervals. */
    start(): void {
      timer = setInterval(check, EVERY_MS).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await checking;
      if (!probes.ending) await probes.end();
    },
    /** Throws an error with the reason if the server cannot be used. Probes the server first, unless the server is known to be down. */
    async check(): Promise<void> {
      if (!down) await check();
      if (down) throw down;
    },
    /** Waits for a connection of the pool. Rejects as soon as a probe has shown that the server does not respond. */
    async connect(pool: pg.Pool): Promise<pg.PoolClient> {
      if (down) throw down;
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

const codeOf = (error: unknown) => (error as { code?: unknown }).code;
