import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openStore } from '../store.ts';
import type { ServerMessage } from './postgres-server.ts';

let sharedServer: Promise<string> | undefined;

/** The environment variable with the shared server's URL (`shared-postgres.ts`). The value `none` forbids PostgreSQL in tests. */
export const SHARED_SERVER_URL = 'XPK_TEST_POSTGRES';

/** Without a shared server, the first call starts one, which takes about 2 s. */
export const createDatabase = (): Promise<string> => copyDatabase('template1');

export const createEmptyDatabase = (): Promise<string> => copyDatabase('template0');

async function copyDatabase(template: string): Promise<string> {
  if (process.env[SHARED_SERVER_URL] === 'none')
    throw new Error(
      'The fast tests must not use PostgreSQL. Put "PostgreSQL" in the title of the test, or "postgres" in the name of its file.',
    );
  sharedServer ??= process.env[SHARED_SERVER_URL] ? Promise.resolve(process.env[SHARED_SERVER_URL]) : startServer();
  const server = await sharedServer;
  const name = `test-${randomUUID()}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(`create database "${name}" template ${template}`);
  } finally {
    await client.end();
  }
  return `${server}/${name}`;
}

/** @returns the URL without a database name */
export async function startServer(): Promise<string> {
  // `execArgv: []` omits the tests' module loader, which would delay the start.
  const child = fork(fileURLToPath(new URL('./postgres-server.ts', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const message = await new Promise<ServerMessage>((resolve, reject) => {
    child.once('message', (serverMessage) => resolve(serverMessage as ServerMessage));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The tests' PostgreSQL process ended with code ${code} before the server was ready.`)));
  });
  if ('error' in message) throw new Error(`PostgreSQL could not be started for the tests:\n${message.error}`);
  // The child process must not keep the test process alive.
  child.unref();
  child.channel?.unref();
  const server = `postgres://postgres:password@127.0.0.1:${message.port}`;
  // Test databases are copies of this one, because copying is much faster than migrating.
  await (await openStore({ database: `${server}/template1` })).close();
  return server;
}
