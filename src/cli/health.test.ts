import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createKit } from '../kit.ts';
import { run } from './testing/run.ts';

test('xpk health exits with 0 if all parts of a kit work, and otherwise prints the failed part and exits with 1', async () => {
  await using kit = await createKit({ port: 0 });
  const runHealth = (...flags: string[]) => run('health', '--url', kit.url, ...flags);
  assert.deepEqual(await runHealth(), { status: 0, stdout: 'up\ndatabase (sqlite): up', stderr: '' });
  mock.method(kit.store, 'health', async () => ({ status: 'read-only', reason: 'disk full' }));
  assert.deepEqual(await runHealth(), { status: 1, stdout: 'degraded\ndatabase (sqlite): read-only, disk full', stderr: '' });
  const { status, stdout } = await runHealth('--json');
  const database = { status: 'read-only', reason: 'disk full' };
  assert.deepEqual([status, JSON.parse(stdout)], [1, { status: 'degraded', engine: 'sqlite', parts: { database } }]);
  await assert.rejects(kit.control.GET('/_control/health'), { name: 'UnhealthyError', message: /is read-only: disk full\.$/ });
});
