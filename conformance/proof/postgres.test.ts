import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKit } from '../../src/kit.ts';
import { freshDatabase } from '../../src/store/testing/postgres.ts';

/**
 * Rules whose checks send few requests at once. Checks of lists and rate limits send so many that, on a busy machine, a request can wait for
 * one of the ten database connections for more than three seconds. Other tests compare the lists of both engines.
 */
const RULES = [
  'assignability.*',
  ...['create', 'get', 'delete'].map((action) => `assignments.${action}.*`),
  ...['create', 'get', 'update', 'delete'].map((action) => `connections.${action}.*`),
  'users.get.*',
  'events.connection.*',
  'events.assignment.*',
  'oauth.code.single-use',
];

test('a kit on PostgreSQL passes the same rules as a kit on SQLite', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-postgres-'));
  const kit = await createKit({ port: 0, retries: 'fast', database: await freshDatabase() });
  t.after(async () => {
    await kit.close();
    await rm(folder, { recursive: true, force: true });
  });
  const flags = ['--base-url', kit.url, '--form', 'prefixed', '--strict', '--report-dir', folder, '--rule', ...RULES];
  const run = spawn(process.execPath, ['src/cli/main.ts', 'conformance', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output: string[] = [];
  run.stdout.on('data', (chunk) => output.push(String(chunk)));
  const [status] = await once(run, 'close');
  assert.equal(status, 0, output.join(''));
});
