import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { startKitProcess } from '../http/testing/kit-process.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { type Lab, startLab } from '../testing/event-lab.ts';
import { callControl } from './testing/call.ts';
import { type Message, openEventSource } from './testing/event-source.ts';

type Schemas = components['schemas'];
type Entry = Schemas['JournalEntry'];
type Event = Schemas['EventWithDeliveries'];

const database = await createDatabase();
const firstReplica = await startLab({ database });
const secondReplica = await startLab({ database }, false);
after(async () => {
  await secondReplica.close();
  await firstReplica.close();
});

const list = ({ control }: Lab, query = '') => control<Entry[]>('GET', `/requests?limit=1000${query}`);
const listTraceIds = (entries: readonly Pick<Entry, 'traceId'>[]) => entries.map(({ traceId }) => traceId);

async function send(url: string, token: string, method: string, path: string, body?: object) {
  const traceId = crypto.randomUUID().replaceAll('-', '');
  const traceparent = `00-${traceId}-${'1'.repeat(16)}-01`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', traceparent };
  return { traceId, response: await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }) };
}
/** @returns the trace id */
async function sendTraced({ kit }: Lab, ...request: [token: string, method: string, path: string, body?: object]): Promise<string> {
  const { traceId, response } = await send(kit.url, ...request);
  await response.arrayBuffer();
  return traceId;
}
const mintToken = async ({ control }: Lab): Promise<string> =>
  (await control<Schemas['MintedToken']>('POST', '/tokens', { client: 'web', principal: 'boss' })).accessToken;

test('no request has a trace id or a credential with a NUL character', async () => {
  assert.deepEqual(await list(firstReplica, '&credential=a%00'), []);
  for (const path of ['requests/a%00', 'explain/a%00'])
    assert.equal((await fetch(`${firstReplica.kit.url}/_control/${path}`)).status, 404, path);
});

test('a list without events is empty', async () => {
  assert.deepEqual(await firstReplica.control('GET', '/events?entity=unknown'), []);
});

test('a replica can explain, read, list and check the requests that the other replica received', async () => {
  const token = await mintToken(firstReplica);
  const traceId = await sendTraced(firstReplica, token, 'GET', `/users/${'0'.repeat(8)}-0000-7000-8000-000000000000`);
  const explanation = await secondReplica.control<Schemas['Explanation']>('GET', `/explain/${traceId}`);
  assert.deepEqual([explanation.outcome, explanation.reason?.id, explanation.state?.cause], ['refused', 'users.get.not-found', 'unknown']);
  assert.deepEqual(await secondReplica.control('GET', `/requests/${traceId}`), await firstReplica.control('GET', `/requests/${traceId}`));
  assert.deepEqual(await list(secondReplica), await list(firstReplica));
  const findings = await secondReplica.control<Schemas['Findings']>('GET', '/findings');
  assert.equal(findings.calls, (await list(firstReplica)).length);
  assert.deepEqual(findings, await firstReplica.control('GET', '/findings'));
  assert.doesNotMatch(JSON.stringify(await list(secondReplica)), new RegExp(token.slice(-20)));
});

test('a replica can wait for a request to the other replica, and can clear the shared journal', async () => {
  const waiting = secondReplica.control<Entry>('POST', '/requests/wait', { path: '/users/awaited', timeoutMs: 30_000 });
  await firstReplica.api('GET', '/users/awaited');
  assert.equal((await waiting).path, '/users/awaited');
  await firstReplica.control('DELETE', '/requests');
  assert.deepEqual([await list(firstReplica), await list(secondReplica)], [[], []]);
});

test('a stream from one replica contains each request, event and delivery of both replicas once, with consecutive numbers', async () => {
  const sources = await Promise.all(
    [firstReplica, secondReplica].map(({ kit }) => openEventSource(`${kit.url}/_control/stream?only=requests,events,deliveries`)),
  );
  const token = await mintToken(firstReplica);
  const experienceId = await firstReplica.getId('experiences', 'desk');
  const accounts = await Promise.all(['north', 'south'].map((alias) => firstReplica.getId('accounts', alias)));
  const change = async (lab: Lab, round: number) => {
    const target = { experienceId, targetType: 'ACCOUNT', targetValue: accounts[round % 2] };
    const created = await sendTraced(lab, token, 'POST', '/experience/assignments', target);
    const listed = await sendTraced(lab, token, 'GET', `/experience/assignments?accountId=${accounts[round % 2]}`);
    const { response } = await lab.control<Entry>('GET', `/requests/${listed}`);
    const [assignment] = (response!.body as { entities: { id: string }[] }).entities;
    return [created, listed, ...(assignment ? [await sendTraced(lab, token, 'DELETE', `/experience/assignments/${assignment.id}`)] : [])];
  };
  const traces = (
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        const sent: string[] = [];
        for (let round = 0; round < 5; round++) sent.push(...(await change(worker % 2 ? firstReplica : secondReplica, worker + round)));
        return sent;
      }),
    )
  ).flat();
  const last = await sendTraced(secondReplica, token, 'GET', '/users/last');
  const events = await firstReplica.control<Event[]>('GET', '/events?limit=200');
  for (const source of sources) {
    const received: Message[] = [];
    const select = <Data>(kind: string) => received.flatMap(({ event, data }) => (event === kind ? [data as Data] : []));
    const isMissing = () =>
      !received.some(({ data }) => data.traceId === last) || ['event', 'delivery'].some((kind) => select(kind).length < events.length);
    while (isMissing()) received.push(await source.next());
    const requests = select<Entry>('request');
    assert.deepEqual(listTraceIds(requests).toSorted(), [...traces, last].toSorted());
    const [first] = requests;
    assert.deepEqual(
      requests.map(({ number }) => number),
      requests.map((_, index) => first!.number + index),
    );
    const listSorted = (key: 'id' | 'entityId', all: readonly Pick<Event, 'id' | 'entityId'>[]) => all.map((one) => one[key]).toSorted();
    assert.deepEqual(listSorted('id', select('event')), listSorted('id', events));
    assert.deepEqual(listSorted('entityId', select('delivery')), listSorted('entityId', events));
    await source.close();
  }
});

test('after a replica gets SIGKILL, the journal has an entry for every change that the replica acknowledged', async () => {
  const replica = startKitProcess(['--database', database], {});
  const { url } = await replica.started();
  const token = await mintToken(firstReplica);
  const experienceId = await firstReplica.getId('experiences', 'desk');
  const accountId = await firstReplica.getId('accounts', 'south');
  const acknowledged: string[] = [];
  const enough = Promise.withResolvers<void>();
  /** Repeatedly creates and deletes a connection, until the replica is killed. */
  async function load(): Promise<void> {
    let id: string | undefined;
    for (;;) {
      const { traceId, response } = await (id === undefined
        ? send(url, token, 'POST', '/experience-connections', { accountId, experienceId })
        : send(url, token, 'DELETE', `/experience-connections/${id}`));
      if (response.ok) acknowledged.push(traceId);
      const text = await response.text();
      id = response.status === 201 || response.status === 200 ? (JSON.parse(text) as { id: string }).id : undefined;
      if (acknowledged.length === 60) enough.resolve();
    }
  }
  const loads = Array.from({ length: 6 }, load);
  await Promise.race([enough.promise, Promise.all(loads)]);
  await replica.stop('SIGKILL');
  await Promise.allSettled(loads);
  const entries = await list(secondReplica);
  const known = new Map(entries.map((entry) => [entry.traceId, entry.status]));
  assert.deepEqual(
    acknowledged.filter((traceId) => !known.has(traceId)),
    [],
  );
  assert.ok(acknowledged.every((traceId) => known.get(traceId)! < 300));
  // Both processes compute the same fingerprint for a token.
  await sendTraced(firstReplica, token, 'GET', '/users/one');
  const ofToken = await list(
    secondReplica,
    `&credential=${entries.find(({ traceId }) => traceId === acknowledged[0])?.credential?.fingerprint}`,
  );
  assert.deepEqual([ofToken[0]?.path, ofToken.length > acknowledged.length], ['/users/one', true]);
});

test("a replica's control API reports that the journal is shared", async () => {
  const { body } = await callControl<Schemas['Info']>(secondReplica.kit.url, 'GET', '/info');
  assert.ok(!body.perReplica?.includes('journal'));
});
