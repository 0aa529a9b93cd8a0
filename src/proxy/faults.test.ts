import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startProxy } from '../testing/proxy.ts';

async function startCountedProxy(t: TestContext, faultWrites: boolean) {
  const asked: (string | undefined)[] = [];
  const started = await startProxy(
    t,
    (req, res) => {
      asked.push(req.method);
      res.end('from the target');
    },
    { upstream: { faultWrites } },
  );
  return { ...started, asked };
}

test('a fault affects the reads that it names, and no request unless one is added', async (t) => {
  const { url, proxy, asked, list } = await startCountedProxy(t, false);
  await fetch(`${url}/users/x`, { headers: { prefer: 'code=503' } });
  await proxy.fault({ operation: 'getUser', fault: 'problem', status: 429, times: 1 });
  const refused = await fetch(`${url}/users/x`);
  assert.deepEqual([refused.status, ((await refused.json()) as { type: string }).type], [429, '/problems/http.injected-fault']);
  assert.equal((await list())[0]!.step, 'fault');
  assert.equal(await (await fetch(`${url}/users/x`)).text(), 'from the target');
  await proxy.fault({ operation: 'getUsers', fault: 'authorization-service-down', times: 1 });
  assert.equal((await fetch(`${url}/users?accountId=x`)).status, 503);
  await proxy.fault({ operation: 'getUser', fault: 'connection-reset', times: 1 });
  await assert.rejects(fetch(`${url}/users/x`));
  await proxy.fault({ operation: 'getUser', fault: 'latency', latencyMs: 1, times: 1 });
  assert.equal((await fetch(`${url}/users/x`)).status, 200);
  assert.deepEqual(asked, ['GET', 'GET', 'GET']);
});

test('a fault never affects a write, and cannot be added for one, unless faultWrites is set', async (t) => {
  const { url, proxy, asked } = await startCountedProxy(t, false);
  const fault = { fault: 'problem', status: 401 } as const;
  await assert.rejects(
    proxy.fault({ ...fault, operation: 'createExperienceAssignment' }),
    /createExperienceAssignment changes something at the target of this proxy\. To let faults affect it, start xpk proxy with --fault-writes\./,
  );
  await assert.rejects(proxy.fault({ fault: 'altered-state' }), /has no fault altered-state/);
  await proxy.fault(fault);
  assert.equal((await fetch(`${url}/experience/assignments`, { method: 'POST', body: '{}' })).status, 200);
  assert.equal((await fetch(`${url}/experience/assignments`)).status, 401);
  assert.equal((await fetch(`${url}/unknown`)).status, 200);
  assert.deepEqual(asked, ['POST', 'GET']);

  const open = await startCountedProxy(t, true);
  await open.proxy.fault({ ...fault, operation: 'createExperienceAssignment' });
  assert.equal((await fetch(`${open.url}/experience-assignments`, { method: 'POST', body: '{}' })).status, 401);
  assert.deepEqual(open.asked, []);
});
