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
 * The rules that depend on single queries. Lists and rate limits are left out: their checks fill several pages at once, and on a busy machine a request
 * would wait longer than three seconds for one of the ten connections. Other tests compare the lists of both engines.
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

test('a kit on PostgreSQL keeps the rules that the kit on SQLite keeps', async (t) => {
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
