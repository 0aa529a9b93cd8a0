import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { createKit } from '../kit.ts';
import { callControl } from './testing/call.ts';

type Members = { name?: string; world?: string; detail?: string; offsetMs?: number; errors?: { pointer: string }[]; users?: object };
interface Answer {
  readonly status: number;
  readonly body: Members & Members[];
}
type Call = (method: string, path: string, body?: object) => Promise<Answer>;

const testWithKit = (title: string, body: (call: Call, url: string, token: string) => Promise<void>) =>
  test(title, async () => {
    const kit = await createKit({ port: 0 });
    try {
      await body((method, path, sent) => callControl(kit.url, method, path, sent), kit.url, (await kit.tokens()).full as string);
    } finally {
      await kit.close();
    }
  });

testWithKit('a snapshot is saved, replaced, listed and deleted', async (call) => {
  const longest = 'x'.repeat(63);
  assert.deepEqual(getValidator(schemaReferences.responses.saveSnapshot[201])((await call('PUT', `/snapshots/${longest}`)).body), []);
  assert.equal((await call('PUT', `/snapshots/${longest}`)).status, 200);
  const listed = await call('GET', '/snapshots');
  assert.deepEqual(getValidator(schemaReferences.responses.listSnapshots[200])(listed.body), []);
  assert.deepEqual([listed.body.length, listed.body[0]?.name, listed.body[0]?.world], [1, longest, 'demo']);
  assert.equal((await call('DELETE', `/snapshots/${longest}`)).status, 204);
});

testWithKit('a reset to a snapshot restores state and kit time, removes faults, and keeps the snapshot', async (call, url, token) => {
  await call('POST', '/clock/advance', { by: '10m' });
  await call('POST', '/state/users', { alias: 'hedy', account: 'northwind' });
  const before = await call('GET', '/state');
  await call('PUT', '/snapshots/with-hedy');
  await call('POST', '/clock/advance', { by: '1d' });
  await call('POST', '/reset', { to: 'empty' });
  await call('POST', '/faults', { fault: 'latency', latencyMs: 1 });
  for (let i = 0; i < 2; i++) {
    const loaded = await call('POST', '/reset', { to: 'with-hedy' });
    assert.deepEqual([loaded.status, loaded.body.world], [200, 'demo']);
  }
  assert.deepEqual((await call('GET', '/state')).body, before.body);
  assert.equal((await call('GET', '/clock')).body.offsetMs, 600_000);
  assert.deepEqual((await call('GET', '/faults')).body, []);
  assert.equal((await fetch(`${url}/users/2065550001`, { headers: { authorization: `Bearer ${token}` } })).status, 200);
});

testWithKit('a reset to an unknown snapshot is refused with a list of the snapshots, and changes nothing', async (call) => {
  await call('PUT', '/snapshots/one');
  await call('PUT', '/snapshots/two');
  await call('POST', '/faults', { fault: 'latency', latencyMs: 1 });
  const before = await call('GET', '/state');
  const refused = await call('POST', '/reset', { to: 'tow' });
  assert.equal(refused.status, 400);
  assert.deepEqual(
    [refused.body.detail, refused.body.errors?.[0]?.pointer],
    ['There is no snapshot "tow". Did you mean "two"? There are: one, two.', '/to'],
  );
  assert.match((await call('POST', '/reset', { to: 'sed' })).body.detail ?? '', /Did you mean "seed"/);
  assert.deepEqual((await call('GET', '/state')).body, before.body);
  assert.equal((await call('GET', '/faults')).body.length, 1);
});
