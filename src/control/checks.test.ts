import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { signDelivery } from '../domain/delivery-headers.ts';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import { listen } from '../store/testing/listen.ts';
import { callControl } from './testing/call.ts';
import { openEventSource } from './testing/event-source.ts';

type Schemas = components['schemas'];

/** Contains no report of another run. */
const folder = await mkdtemp(join(tmpdir(), 'xpk-checks-'));
after(() => rm(folder, { recursive: true }));

/** A consumer that does not compare `updatedAt`. `delivered` resolves at its first event. */
async function startConsumer() {
  const { promise: delivered, resolve } = Promise.withResolvers<void>();
  const connections: Record<string, { state: string }> = {};
  const server = await listen(
    createServer(async (request, response) => {
      if (request.url === '/empty') return void response.end('{"connections":{}}');
      if (request.url === '/state') return void response.end(JSON.stringify({ connections }));
      const { type, data } = (await json(request)) as { type: string; data: { connectionId?: string } };
      if (data.connectionId !== undefined && type.endsWith('.deleted')) delete connections[data.connectionId];
      else if (data.connectionId !== undefined)
        connections[data.connectionId] = { state: type.endsWith('.activated') ? 'ACTIVE' : 'INACTIVE' };
      response.end();
      resolve();
    }),
  );
  return { ...server, delivered, events: `${server.url}/events`, state: `${server.url}/state` };
}

async function startKit(settings: KitSettings = {}) {
  const kit = await createKit({ port: 0, reports: folder, ...settings });
  const start = (body: object) => callControl<Schemas['Check']>(kit.url, 'POST', '/checks', body);
  const read = async (id: string) => (await callControl<Schemas['CheckWithResults']>(kit.url, 'GET', `/checks/${id}?waitMs=60000`)).body;
  return { kit, start, read, [Symbol.asyncDispose]: kit.close };
}

async function readWorld({ control }: Kit) {
  const { data: subscriptions } = await control.GET('/_control/subscriptions');
  return {
    world: (await control.GET('/_control/state')).data,
    subscriptions: subscriptions.map(({ id, destinationUrl }) => [id, destinationUrl]),
  };
}

const OLDER = 'events.consumer.discards-older';

test('a webhook check names the rules that the endpoint breaks, and leaves nothing in the world', async () => {
  await using consumer = await startConsumer();
  await using started = await startKit();
  const { kit, start, read } = started;
  await kit.control.POST('/_control/subscriptions', { body: { destinationUrl: consumer.events } });
  const before = await readWorld(kit);
  const { status, body } = await start({ check: 'webhook', url: consumer.events, stateUrl: consumer.state, settleMs: 100, rules: [OLDER] });
  assert.deepEqual([status, body.state, body.check], [202, 'running', 'webhook']);
  const { state, reasons, results, summary = '' } = await read(body.id);
  assert.deepEqual([state, reasons], ['failed', [`documented rules failed: ${OLDER}`]]);
  assert.match(summary, /^ {2}documented +0 of 1 passed, 1 failed\n[\s\S]*\n\n {2}Not conformant: documented rules failed: 1\./);
  const [rule] = (results as unknown as { rules: { id: string; verdict: string }[] }).rules;
  assert.deepEqual([rule?.id, rule?.verdict], [OLDER, 'failed']);
  assert.deepEqual(await readWorld(kit), before);
  const { data: reports } = await kit.control.GET('/_control/reports');
  assert.deepEqual(
    reports.map(({ name, kind }) => [name, kind]),
    [[body.id, 'webhook']],
  );
  const { data: report } = await kit.control.GET('/_control/reports/{name}', { params: { path: { name: body.id } } });
  assert.match(report.html, /Store data\.updatedAt with each entity/);
});

/** An endpoint that answers 401 to deliveries without the secret's signature. */
const startVerifier = (secret: string) =>
  listen(
    createServer(async (request, response) => {
      const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
      const expected = signDelivery(secret, String(id), String(timestamp), await text(request));
      response.writeHead(signature === expected ? 204 : 401).end();
    }),
  );

test('a webhook check signs its deliveries with the given secret, or else with the same secret in every run', async () => {
  const given = `whsec_${'a'.repeat(32)}`;
  const set = { 'events.delivery.signature': 'standard-webhooks' } as const;
  await using started = await startKit({ set });
  await using other = await startKit({ set });
  const request = { check: 'webhook', url: 'http://127.0.0.1:1/', rules: ['events.endpoint.acknowledges-with-2xx'] };
  const { secret: usual = '' } = (await other.start(request)).body;
  const seen = new Set<string | undefined>();
  for (const [secret, members] of [
    [given, { secret: given }],
    [usual, {}],
    [usual, {}],
  ] as const) {
    await using endpoint = await startVerifier(secret);
    const { body } = await started.start({ ...request, url: endpoint.url, ...members });
    assert.equal(body.secret, secret);
    const { state, reasons, ...ended } = await started.read(body.id);
    assert.deepEqual([state, reasons], ['passed', []]);
    assert.deepEqual([ended.secret, ended.subscriptionId], [secret, body.subscriptionId]);
    seen.add(body.subscriptionId);
  }
  assert.equal(seen.size, 3);
  await using endpoint = await startVerifier(given);
  const { state, results } = await started.read((await started.start({ ...request, url: endpoint.url })).body.id);
  assert.equal(state, 'failed');
  assert.ok(JSON.stringify(results).includes(`This check signs its deliveries with the secret ${usual}`));
});

test('a client check names the rules that calls since a number break', async () => {
  await using started = await startKit();
  const { kit, start, read } = started;
  const list = (name: string) => fetch(`${kit.url}/experience-connections?${name}=1`, { headers: { authorization: 'Bearer x' } });
  const check = async (members: object) => {
    const { id } = (await start({ check: 'client', ...members })).body;
    const { results } = await read(id);
    const { rules } = results as unknown as { rules: { id: string; verdict: string }[] };
    return rules.find((rule) => rule.id === 'client.telephone-number-not-tn')?.verdict;
  };
  await list('tn');
  assert.equal(await check({}), 'failed');
  assert.equal(await check({ since: 1 }), 'not-exercised');
  assert.equal(await check({ since: new Date(Date.now() + 60_000).toISOString() }), 'not-exercised');
});

test('while a webhook check runs, the stream shows its progress, a second one is refused, and it can be stopped', async () => {
  await using consumer = await startConsumer();
  await using started = await startKit();
  const { kit, start, read } = started;
  await using messages = await openEventSource(`${kit.url}/_control/stream?only=checks`);
  const request = { check: 'webhook', url: consumer.events, stateUrl: consumer.state };
  const { id } = (await start(request)).body;
  const second = await start(request);
  assert.equal(second.status, 409);
  assert.match(JSON.stringify(second.body), new RegExp(`The webhook check ${id} is running`));
  while ((await messages.next('check')).data.progress === '');
  assert.equal((await callControl(kit.url, 'DELETE', `/checks/${id}`)).status, 204);
  const stopped = await read(id);
  assert.deepEqual([stopped.state, (stopped.results as { interrupted?: boolean }).interrupted], ['stopped', true]);
  assert.equal((await start({ ...request, rules: [OLDER] })).status, 202);
});

test('a kit that is closed stops its check, which first removes its entities from the database', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'xpk-checks-'));
  t.after(() => rm(folder, { recursive: true }));
  await using consumer = await startConsumer();
  const startWithFile = () => startKit({ data: join(folder, 'kit.db') });
  const first = await startWithFile();
  const before = await readWorld(first.kit);
  // The state never becomes right, so that the check is stopped while it waits.
  await first.start({ check: 'webhook', url: consumer.events, stateUrl: `${consumer.url}/empty`, settleMs: 600_000 });
  await consumer.delivered;
  await first.kit.close();
  await using second = await startWithFile();
  assert.deepEqual(await readWorld(second.kit), before);
});

const REFUSED: readonly (readonly [object, RegExp])[] = [
  [{ check: 'webhook' }, /needs the url of the endpoint/],
  [{ check: 'client', url: 'http://127.0.0.1:1/' }, /The client check has no option url/],
  [{ check: 'webhook', url: 'http://127.0.0.1:1/', since: 1 }, /The webhook check has no option since/],
  [{ check: 'webhook', url: 'http://127.0.0.1:1/', path: '1' }, /The path needs the seed/],
  [
    { check: 'webhook', url: 'http://127.0.0.1:1/', rules: ['events.consumer.discard-older'] },
    /Did you mean \\"events.consumer.discards-older\\"/,
  ],
  [{ check: 'client', since: 'yesterday' }, /must be the number of a journal entry, or a time such as/],
  [{ check: 'webhook', url: 'http://127.0.0.1:1/', secret: 'a-secret' }, /must be whsec_ followed by 24 to 64 bytes in base64/],
  [{ check: 'webhook', url: 'no-url' }, /not an absolute URL/],
  [{ check: 'webhook', url: 'http://169.254.169.254/' }, /169\.254\.169\.254 is a link-local/],
  [{ check: 'webhook', url: 'http://127.0.0.1:1/', stateUrl: 'http://169.254.169.254/' }, /169\.254\.169\.254 is a link-local/],
];

for (const [request, reason] of REFUSED)
  test(`a check is refused with 400 and a reason: ${JSON.stringify(request)}`, async () => {
    await using started = await startKit();
    const { status, body } = await started.start(request);
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), reason);
  });

test('a kit that delivers only to public addresses refuses to check a local endpoint', async () => {
  await using started = await startKit({ destinations: 'strict' });
  const { status, body } = await started.start({ check: 'webhook', url: 'https://127.0.0.1/' });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /127\.0\.0\.1 is not a public address/);
});

test('a check of an endpoint that does not run ends with the state error and the reason', async () => {
  await using started = await startKit();
  const { id } = (await started.start({ check: 'webhook', url: 'http://127.0.0.1:1/' })).body;
  const { state, reasons = [] } = await started.read(id);
  assert.equal(state, 'error');
  assert.match(reasons.join(), /No endpoint accepts connections at http:\/\/127\.0\.0\.1:1\//);
});
