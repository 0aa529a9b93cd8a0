import { Socket } from 'node:net';
import pg from 'pg';

/**
 * Wall milliseconds between two probes, and for the answer to one probe. If the server stops answering, requests that wait for it fail
 * after at most 2.5 seconds, because two probes in a row have to fail.
 */
const EVERY_MS = 500;
const ANSWER_MS = 1_000;

/** The code of the error if all connections of the server are in use. It does not mean an outage: connections of the pool still work. */
const TOO_MANY_CONNECTIONS = '53300';

/**
 * Probes a server on a separate connection. If a server freezes, its connections stay open, so queries would wait forever. A time limit for
 * each query would also end long migrations and resets. Instead, if a probe gets no answer, all sockets are closed, which ends their
 * queries.
 *
 * @param unavailable creates the error with which requests fail; it must not contain the password
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

  /** @returns why the server cannot be used; undefined if it answers */
  const probe = (): Promise<unknown> =>
    probes.query('select 1').then(
      () => undefined,
      (error: unknown) => (codeOf(error) === TOO_MANY_CONNECTIONS ? undefined : error),
    );

  async function probeTwice(): Promise<void> {
    // One probe may fail only because this process was busy, or because an administrator closed its connection, so it is repeated.
    const error = (await probe()) && (await probe());
    down = error === undefined ? undefined : unavailable(error);
    if (down === undefined) return;
    for (const socket of sockets) socket.destroy(down);
    for (const reject of waiting) reject(down);
  }

  /** Joins a check in progress, because a second check would have to wait for the only connection. */
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
    /** Probes the server on a separate connection. Throws the reason if the server cannot be used. */
    async check(): Promise<void> {
      if (!down) await check();
      if (down) throw down;
    },
    /** Waits for a connection of the pool, and rejects as soon as a probe has shown that the server does not answer. */
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
