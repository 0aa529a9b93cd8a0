import { Socket } from 'node:net';
import pg from 'pg';

/**
 * Wall milliseconds between two probes, and the time that the server has to answer one. A request that waits for a server which stopped answering fails
 * after 2.5 seconds at the latest, because two probes in a row have to fail.
 */
const EVERY_MS = 500;
const ANSWER_MS = 1_000;

/** The server refuses the probe because all of its connections are in use. Those of the pool still work. */
const TOO_MANY_CONNECTIONS = '53300';

/** Finds out when a PostgreSQL server stops answering, and then ends everything that waits for it. */
export interface Watch {
  /** A socket for each connection of the pool. */
  readonly stream: () => Socket;
  /** Begins to probe. */
  start(): void;
  stop(): Promise<void>;
  /** Probes the server on the watch's own connection. Throws why it cannot be used. */
  check(): Promise<void>;
  /** Waits for a connection of the pool, and rejects as soon as the server is known not to answer. */
  connect(pool: pg.Pool): Promise<pg.PoolClient>;
}

/**
 * A frozen server keeps its connections open, so queries would wait forever. A time limit for each query would also end a long migration or reset, so a
 * separate connection probes the server instead. If the probe gets no answer, all sockets are closed, which ends everything that waits on them.
 *
 * @param unavailable makes the error that requests fail with; it never contains the password.
 */
export function watchServer(config: pg.PoolConfig, unavailable: (cause: unknown) => Error): Watch {
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
    // One probe may fail because this process was busy, or because an administrator closed its connection.
    const error = (await probe()) && (await probe());
    down = error === undefined ? undefined : unavailable(error);
    if (down === undefined) return;
    for (const socket of sockets) socket.destroy(down);
    for (const reject of waiting) reject(down);
  }

  /** One check at a time: a second one would wait for the only connection. */
  function check(): Promise<void> {
    checking ??= probeTwice().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  return {
    stream,
    start() {
      timer = setInterval(check, EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await checking;
      if (!probes.ending) await probes.end();
    },
    async check() {
      if (!down) await check();
      if (down) throw down;
    },
    async connect(pool) {
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
