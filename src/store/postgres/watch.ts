import { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';

/**
 * Wall milliseconds between two probes, and the time that the server has to answer one. A request that waits for a server which stopped answering fails
 * after their sum at the latest.
 */
const EVERY_MS = 500;
const ANSWER_MS = 2_000;

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
  /**
   * Waits for a connection, and rejects as soon as the server is known not to answer.
   *
   * @param release is called with a connection that arrives after that.
   */
  acquire<T>(connect: () => Promise<T>, release: (connection: T) => unknown): Promise<T>;
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
  const stopping = new AbortController();
  let down: Error | undefined;
  let looping: Promise<void> = Promise.resolve();

  function stream(): Socket {
    const socket = new Socket();
    sockets.add(socket);
    const timer = setTimeout(async () => {
      await turn();
      if (socket.bytesRead > 0 || socket.destroyed) return;
      const error = unavailable(noAnswer());
      socket.destroy(error);
      rejectWaiting(error);
    }, ANSWER_MS).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(socket);
    });
    return socket;
  }

  const probes = new pg.Pool({ ...config, stream, max: 1, idleTimeoutMillis: 0, application_name: 'xpk-probe' });
  probes.on('error', () => {});

  function rejectWaiting(error: Error): void {
    for (const reject of waiting) reject(error);
  }

  /** @returns why the server cannot be used; undefined if it answers */
  async function probe(): Promise<unknown> {
    let problem: unknown = noAnswer();
    const query = probes.query('select 1').then(
      () => {
        problem = undefined;
      },
      (error: unknown) => {
        problem = error;
      },
    );
    await Promise.race([query, pause(ANSWER_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})]);
    // If this process was busy for so long, the answer may have arrived without having been read.
    await turn();
    return problem;
  }

  async function check(): Promise<void> {
    let error = await probe();
    // The connection of the probe may have been closed by an administrator, so a new one is tried.
    if (error !== undefined && codeOf(error) !== NO_ANSWER) error = await probe();
    if (error === undefined || codeOf(error) === TOO_MANY_CONNECTIONS) {
      down = undefined;
      return;
    }
    down = unavailable(error);
    for (const socket of sockets) socket.destroy(down);
    rejectWaiting(down);
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(EVERY_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await check();
    }
  }

  return {
    stream,
    start() {
      looping = loop();
    },
    async stop() {
      stopping.abort();
      await looping;
      await probes.end();
      for (const socket of sockets) socket.destroy();
    },
    async check() {
      if (!down) await check();
      if (down) throw down;
    },
    async acquire(connect, release) {
      if (down) throw down;
      const connecting = connect();
      const { promise: outage, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      try {
        return await Promise.race([connecting, outage]);
      } catch (error) {
        connecting.then(release, () => {});
        throw unavailable(error);
      } finally {
        waiting.delete(reject);
      }
    },
  };
}

const NO_ANSWER = 'ETIMEDOUT';
const noAnswer = () => Object.assign(new Error('The server does not answer'), { code: NO_ANSWER });
const codeOf = (error: unknown) => (error as { code?: unknown }).code;
