import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startRoundRobin } from '../../conformance/proof/targets/round-robin.ts';
import { createDatabase } from '../../src/store/testing/postgres.ts';
import { ACCOUNT_ALIAS, EXPERIENCE_ID, sendRequest, startKit, writeFixtures } from './kits.ts';
import { findProblems, Ledger } from './ledger.ts';
import { readEntities, requestToken, sendToControl } from './reads.ts';
import { parseEvent, startEndpoint } from './receivers.ts';
import { startWriters } from './writers.ts';

const CHECK_PATH = `/experience/experiences/${EXPERIENCE_ID}/assignability?targetType=PHONE_NUMBER&targetValue=%2B12065550100`;

async function prepare(t: TestContext, answer: (response: ServerResponse, event: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-stop-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const receiver = await startEndpoint((body, response) => {
    answer(response, parseEvent(body).name);
  });
  t.after(() => receiver.close());
  const errors: string[] = [];
  const storage = ['--database', await createDatabase(), '--fixtures', writeFixtures(folder, [receiver.url])];
  return {
    errors,
    async start(...args: string[]) {
      const replica = await startKit([...storage, ...args], (line) => errors.push(line));
      t.after(() => replica.kill());
      return replica;
    },
  };
}

const MAX_WAIT_MS = 30_000;

async function waitUntil(description: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Not within ${MAX_WAIT_MS} ms: ${description}`);
    await pause(1);
  }
}

test('if a replica with --drain stops under load, it cuts off no response, and the other replica takes over its deliveries', async (t) => {
  const unanswered: (() => void)[] = [];
  const attempted: string[] = [];
  const delivered = new Map<string, Set<string>>();
  let isHolding = true;
  const { start, errors } = await prepare(t, (response, event) => {
    attempted.push(event);
    const acknowledge = () => {
      if (!response.destroyed) delivered.set(event, new Set(['subscription-0']));
      response.writeHead(204).end();
    };
    if (isHolding) unanswered.push(acknowledge);
    else acknowledge();
  });
  // With these settings, the other replica takes over a delivery in time only if the stopping replica releases its claim.
  const settings = ['--drain', '3s', '--delivery-timeout', '60s', '--retries', 'off'];
  const stopped = await start(...settings);
  const addresses = [stopped.url];
  const proxy = await startRoundRobin(addresses);
  t.after(() => proxy.close());
  const token = await requestToken(stopped.url);
  const ledger = new Ledger();
  const kits = [proxy];
  const stopWriters = startWriters({ kits, ledger, token, writersPerKit: 4, mayWrite: () => true });
  const refused: string[] = [];
  let checks = 0;
  let isReading = true;
  const reading = (async () => {
    for (; isReading; checks++) {
      const { ok, status } = await sendRequest(proxy.url, 'GET', CHECK_PATH, undefined, token).catch(() => ({ ok: false, status: 'cut' }));
      if (!ok && status !== 429) refused.push(`${status}`);
    }
  })();
  const stopLoad = async () => {
    isReading = false;
    await Promise.all([stopWriters(), reading]);
  };
  t.after(stopLoad);
  await waitUntil('deliveries are in flight', () => attempted.length >= 5);
  const inFlight = attempted.slice();
  addresses.push((await start(...settings)).url);
  await waitUntil('both replicas handle requests', () => ledger.acknowledged >= 200);

  let hasEnded = false;
  const ending = stopped.stop().finally(() => {
    hasEnded = true;
  });
  // Check readiness from time to time, as a load balancer does.
  while ((await sendRequest(stopped.url, 'GET', '/_control/health')).ok) await pause(500);
  addresses.shift();
  const sentBefore = ledger.acknowledged;
  await waitUntil('the replica has ended', () => hasEnded);
  assert.ok(ledger.acknowledged > sentBefore, 'the other replica handles requests');
  await stopLoad();
  assert.equal(await ending, 0);
  assert.deepEqual([ledger.cutOff, ledger.unavailable, ledger.refusals, refused, errors], [0, 0, [], [], []], `${checks} checks`);

  isHolding = false;
  for (const acknowledge of unanswered) acknowledge();
  const isRepeated = (event: string) => attempted.lastIndexOf(event) > attempted.indexOf(event);
  await waitUntil('the other replica attempts the deliveries in flight', () => inFlight.every(isRepeated));
  await waitUntil('all deliveries are made', () => ledger.events.every((event) => delivered.has(event)));
  const verdict = findProblems({ existing: await readEntities(proxy.url), ledger, delivered, subscriptions: 1 });
  assert.deepEqual(Object.values(verdict).flat(), []);
});

test('a replica that stops without --drain completes the responses in progress, and closes their connections', async (t) => {
  const { start, errors } = await prepare(t, (response) => void response.writeHead(204).end());
  const replica = await start();
  await sendToControl(replica.url, 'POST', '/faults', { fault: 'latency', latencyMs: 1000, operation: 'createExperienceAssignment' });
  const accessToken = await requestToken(replica.url);
  const users = await Promise.all(
    Array.from({ length: 20 }, () =>
      sendToControl<{ id: string }>(replica.url, 'POST', '/state/users', { account: ACCOUNT_ALIAS, firstName: 'Ada' }),
    ),
  );
  const sent = users.map(async ({ id }) => {
    const response = await fetch(`${replica.url}/experience/assignments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ experienceId: EXPERIENCE_ID, targetType: 'USER', targetValue: id }),
    });
    return [response.status, response.headers.get('connection'), ((await response.json()) as { targetValue: string }).targetValue];
  });
  const countHits = async () => (await sendToControl<{ hits: number }[]>(replica.url, 'GET', '/faults'))[0]!.hits;
  await waitUntil('all requests are in progress', async () => (await countHits()) === users.length);
  assert.equal(await replica.stop(), 0);
  assert.deepEqual(
    await Promise.all(sent),
    users.map(({ id }) => [201, 'close', id]),
  );
  const existing = await readEntities((await start()).url);
  assert.equal([...existing.values()].filter((kind) => kind === 'assignments').length, users.length);
  assert.deepEqual(errors, []);
});

test('a kit with 500 open streams that gets SIGTERM under load answers all requests in flight, and ends the streams', async (t) => {
  const kit = await startKit([], (line) => assert.fail(line));
  t.after(() => kit.kill());
  const streams = await Promise.all(Array.from({ length: 500 }, () => fetch(`${kit.url}/_control/stream`)));
  const user = { account: 'northwind', firstName: 'Ada', lastName: 'Lovelace' };
  const [answered, inFlight] = [[] as number[], new Set<symbol>()];
  let isStopping = false;
  const writers = Array.from({ length: 20 }, async () => {
    while (!isStopping) {
      const request = Symbol();
      inFlight.add(request);
      const { status } = await sendRequest(kit.url, 'POST', '/_control/state/users', user);
      inFlight.delete(request);
      answered.push(status);
    }
  });
  await waitUntil('the writers have connections', () => answered.length >= 200);
  isStopping = true;
  const ended = kit.stop();
  assert.ok(inFlight.size > 0);
  await Promise.all(writers);
  for (const stream of streams) assert.match(await stream.text(), /the stream is open/);
  assert.equal(await ended, 0);
  assert.deepEqual([...new Set(answered)], [201]);
});
