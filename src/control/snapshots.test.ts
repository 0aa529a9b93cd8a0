import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { startLab } from '../testing/event-lab.ts';
import { callControl } from './testing/call.ts';

type Schemas = components['schemas'];

const lab = await startLab();
after(() => lab.close());

test('a snapshot is saved, replaced, listed and deleted', async () => {
  const name = 'x'.repeat(63);
  const send = (method: string) => callControl<{ detail?: string } | undefined>(lab.kit.url, method, `/snapshots/${name}`);
  const { status, body: saved } = await send('PUT');
  assert.deepEqual([status, getValidator(schemaReferences.responses.saveSnapshot[201])(saved)], [201, []]);
  assert.equal((await send('PUT')).status, 200);
  const [listed, ...others] = await lab.control<Schemas['Snapshot'][]>('GET', '/snapshots');
  assert.deepEqual(getValidator(schemaReferences.responses.listSnapshots[200])([listed]), []);
  assert.deepEqual([listed?.name, listed?.world, others], [name, 'deliveries', []]);
  assert.equal((await send('DELETE')).status, 204);
  assert.match((await send('DELETE')).body?.detail ?? '', /There are none\. Save one with/);
});

test('a reset to a snapshot restores state and kit time, removes faults, and keeps the snapshot', async () => {
  const { control } = lab;
  await control('POST', '/clock/advance', { by: '10m' });
  await control('POST', '/state/users', { alias: 'hedy', account: 'north' });
  const state = await control('GET', '/state');
  await control('PUT', '/snapshots/with-hedy');
  await control('POST', '/clock/advance', { by: '1d' });
  await control('POST', '/reset', { to: 'empty' });
  await control('POST', '/faults', { fault: 'latency', latencyMs: 1 });
  for (let time = 0; time < 2; time++)
    assert.equal((await control<Schemas['Loaded']>('POST', '/reset', { to: 'with-hedy' })).world, 'deliveries');
  assert.deepEqual(await control('GET', '/state'), state);
  assert.equal((await control<Schemas['Clock']>('GET', '/clock')).offsetMs, 600_000);
  assert.deepEqual(await control('GET', '/faults'), []);
  assert.equal((await lab.api('GET', `/users/${await lab.getId('users', 'hedy')}`)).status, 200);
});
