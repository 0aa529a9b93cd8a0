import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { components } from './contract/generated/control.ts';
import { callControl } from './control/testing/call.ts';
import { startKitProcess } from './http/testing/kit-process.ts';
import { createKit, type Kit } from './kit.ts';
import { createDatabase } from './store/testing/postgres.ts';
import { stopServerClock } from './store/testing/server-clock.ts';

type Fault = components['schemas']['Fault'];
type FaultRequest = components['schemas']['FaultRequest'];

/** The database server's wall time in the first test. The tests stop the server's clock and set its time. */
const START_MS = 1_800_000_000_000;

const listFaults = async (kit: Kit) => (await callControl<Fault[]>(kit.url, 'GET', '/faults')).body;
const addFault = async (kit: Kit, request: FaultRequest) => (await callControl<Fault>(kit.url, 'POST', '/faults', request)).body;

describe('replicas with one database', () => {
  let database: string;
  let clock: Awaited<ReturnType<typeof stopServerClock>>;
  let one: Kit;
  let two: Kit;
  let tokens: Readonly<Record<string, string>>;
  let check: string;
  before(async () => {
    database = await createDatabase();
    clock = await stopServerClock(database);
    const settings = { port: 0, database, logLevel: 'silent' } as const;
    one = await createKit(settings);
    two = await createKit(settings);
    tokens = await one.tokens();
    const { id } = await one.store.db.selectFrom('experiences').select('id').orderBy('id').executeTakeFirstOrThrow();
    check = `/experiences/${id}/assignability?targetType=PHONE_NUMBER&targetValue=%2B12065550100`;
  });
  after(() => Promise.all([one.close(), two.close(), clock.close()]));

  const get = (url: string, path: string, token = 'full') => fetch(url + path, { headers: { authorization: `Bearer ${tokens[token]}` } });
  async function countAccepted(urls: readonly string[], sentToEach: number, token?: string): Promise<number> {
    const responses = Array.from({ length: sentToEach }, () => urls.map((url) => get(url, check, token))).flat();
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status !== 429),
      [],
    );
    return statuses.filter((status) => status === 200).length;
  }

  test('replicas share the limit of 100 checks per second for each credential', async () => {
    await clock.set(START_MS);
    assert.equal(await countAccepted([one.url, two.url], 90), 100);
    assert.equal(await countAccepted([two.url], 5, 'worker-1'), 5, 'another credential');
    await clock.set(START_MS + 999);
    assert.equal(await countAccepted([two.url], 5), 0);
    await clock.set(START_MS + 1000);
    assert.equal(await countAccepted([two.url], 60), 60, 'one replica without the others');
    assert.equal(await countAccepted([one.url], 60), 40);
  });

  test('a reset starts new rate windows on all replicas', async () => {
    await clock.set(START_MS + 10_000);
    await one.clock.advance('1d');
    assert.equal(await countAccepted([one.url, two.url], 60), 100);
    await callControl(one.url, 'POST', '/reset', { to: 'seed' });
    assert.equal(await countAccepted([one.url, two.url], 60), 100);
  });

  test('replicas keep the rate limit if one of them is killed', async () => {
    await clock.set(START_MS + 20_000);
    const third = startKitProcess(['--database', database], {});
    const { url } = await third.started();
    let answered = 0;
    const sent = Array.from({ length: 80 }, async () => {
      const { status } = await get(url, check);
      assert.equal(status, 200);
      if (++answered === 10) await third.stop('SIGKILL');
    });
    await Promise.allSettled(sent);
    const rest = await countAccepted([one.url, two.url], 60);
    assert.ok(rest <= 100 - answered && rest >= 20, `${answered} checks were accepted before the kill, and ${rest} after`);
    await clock.set(START_MS + 21_000);
    assert.equal(await countAccepted([one.url, two.url], 60), 100);
  });

  test('replicas share the faults, with the same ids and hits', async () => {
    const { id } = await addFault(one, { fault: 'problem', status: 404, operation: 'getUser', times: 3 });
    const getStatus = async (kit: Kit) => (await get(kit.url, '/users/2065550001')).status;
    assert.deepEqual([await getStatus(two), await getStatus(one)], [404, 404]);
    for (const kit of [one, two])
      assert.deepEqual(
        (await listFaults(kit)).map(({ id, hits }) => [id, hits]),
        [[id, 2]],
      );
    const other = await addFault(two, { fault: 'latency', latencyMs: 0 });
    assert.notEqual(other.id, id);
    assert.equal((await callControl(two.url, 'DELETE', `/faults/${id}`)).status, 204);
    assert.equal((await callControl(one.url, 'DELETE', `/faults/${id}`)).status, 404);
    assert.deepEqual([await getStatus(one), await getStatus(two)], [200, 200]);
    assert.equal((await callControl(one.url, 'DELETE', '/faults')).status, 204);
    assert.deepEqual(await listFaults(two), []);
    assert.notEqual((await addFault(one, { fault: 'latency', latencyMs: 0 })).id, other.id);
    await callControl(two.url, 'POST', '/reset', { to: 'seed' });
    assert.deepEqual(await listFaults(one), []);
  });

  test('a fault affects exactly `times` requests across all replicas, and faults with the same seed affect the same requests', async () => {
    const requestStatuses = async (requestsPerReplica: number) => {
      const responses = Array.from({ length: requestsPerReplica }, () => [one, two].map((kit) => get(kit.url, '/users/2065550001'))).flat();
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    await addFault(one, { fault: 'problem', status: 404, operation: 'getUser', after: 5, times: 23 });
    await addFault(two, { fault: 'problem', status: 429, operation: 'getUser', times: 11 });
    const counted = (await requestStatuses(40)).toSorted();
    assert.deepEqual(
      [200, 404, 429].map((status) => counted.filter((each) => each === status).length),
      [46, 23, 11],
    );
    const hits = async (kit: Kit) => (await listFaults(kit)).map((fault) => fault.hits);
    assert.deepEqual(
      [await hits(one), await hits(two)],
      [
        [23, 11],
        [23, 11],
      ],
    );
    await callControl(one.url, 'DELETE', '/faults');

    const hit = async () => {
      await addFault(one, { fault: 'problem', status: 404, operation: 'getUser', probability: 0.3, seed: 5 });
      const all: number[] = [];
      for (let sent = 0; sent < 12; sent++) all.push((await get([one, two][sent % 2]!.url, '/users/2065550001')).status);
      await callControl(two.url, 'DELETE', '/faults');
      return all;
    };
    const first = await hit();
    assert.ok(first.includes(404) && first.includes(200), String(first));
    assert.deepEqual(await hit(), first);
  });
});
