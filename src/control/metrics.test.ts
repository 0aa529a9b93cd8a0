import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { createDatabase } from '../store/testing/postgres.ts';

async function readMetrics(kit: Kit): Promise<Record<string, number>> {
  const response = await fetch(`${kit.url}/_control/metrics`);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('xpk_'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
}

test('the metrics count requests by operation and status, and delivery attempts by outcome', async () => {
  await using kit = await createKit({ port: 0 });
  const authorization = `Bearer ${(await kit.tokens()).full}`;
  for (const path of ['/users/2065550001', '/users/2065550001', '/users/unknown'])
    await fetch(kit.url + path, { headers: { authorization } });
  const metrics = await readMetrics(kit);
  assert.equal(metrics['xpk_requests_total{operation="getUser",status="200"}'], 2);
  assert.equal(metrics['xpk_requests_total{operation="getUser",status="404"}'], 1);
  assert.ok(metrics['xpk_request_seconds_total{operation="getUser",status="200"}']! > 0);
  assert.equal((await readMetrics(kit))['xpk_requests_total{operation="getUser",status="200"}'], 2);
});

test('the metrics count delivery attempts by outcome, and report the age of the oldest due delivery', async () => {
  await using kit = await createKit({ port: 0 });
  const statuses = [500, 204];
  const { id } = await kit.subscribe(() => ({ status: statuses.shift() ?? 204 }), { types: ['experience.connection.created'] });
  const body = { account: 'fabrikam', experience: 'reception', state: 'INACTIVE' as const };
  await kit.control.POST('/_control/state/{collection}', { params: { path: { collection: 'connections' } }, body });
  await kit.clock.advance('1h');
  await kit.deliveries.wait({ subscription: id });
  const metrics = await readMetrics(kit);
  assert.equal(metrics['xpk_delivery_attempts_total{outcome="failed"}'], 1);
  assert.ok(metrics['xpk_delivery_attempts_total{outcome="acknowledged"}']! >= 1);
  assert.deepEqual([metrics.xpk_deliveries_due, metrics.xpk_deliveries_due_age_seconds], [0, 0]);
});

test('on PostgreSQL, the metrics count connections, and a scrape works during an outage', async () => {
  await using kit = await createKit({ port: 0, database: await createDatabase() });
  assert.ok((await readMetrics(kit))['xpk_database_connections{state="idle"}']! >= 1);
  mock.method(kit.store.db, 'getExecutor', () => {
    throw new Error('The database is down.');
  });
  const metrics = await readMetrics(kit);
  assert.equal(metrics.xpk_deliveries_due, undefined);
  assert.equal(typeof metrics['xpk_database_connections{state="waiting"}'], 'number');
});
