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
 * The rules that rest on queries. Left out are those that fill several pages or a rate limit: they ask for more at once than a busy machine does in
 * the three seconds that a request waits for a connection.
 */
const RULES = [
  'assignability.*',
  'assignments.*',
  'connections.*',
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
