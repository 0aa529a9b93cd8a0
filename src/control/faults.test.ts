import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { startExplainingKit } from '../testing/explaining-kit.ts';

type Fault = components['schemas']['Fault'];
type FaultRequest = components['schemas']['NewFault'];

const lab = await startExplainingKit({ fixtures: 'demo' });
const users = await lab.kit.store.db.selectFrom('users').select(['id', 'account_id']).orderBy('id').execute();
after(() => lab.kit.close());
beforeEach(() => lab.control('DELETE', '/faults'));

async function add(fault: FaultRequest): Promise<Fault> {
  const { status, body } = await lab.control<Fault>('POST', '/faults', fault);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** @returns the statuses, with 0 for a missing response */
async function sendAll(paths: readonly string[], method = 'GET'): Promise<number[]> {
  const all: number[] = [];
  for (const path of paths) all.push((await lab.ask({ method, path })).status ?? 0);
  return all;
}

const get = (user: number) => `/users/${users[user]?.id}`;
const list = (user: number, rest = '') => `/users?accountId=${users[user]?.account_id}${rest}`;

const FAULTS_BY_KIND: readonly [FaultRequest, status: number][] = [
  [{ fault: 'problem', status: 404, operation: 'getUser' }, 404],
  [{ fault: 'response', status: 502, undocumented: true, body: '<h1>Bad gateway</h1>' }, 502],
  [{ fault: 'latency', latencyMs: 0, latencyMaxMs: 1 }, 200],
  [{ fault: 'slow-response', latencyMs: 0, latencyMaxMs: 1 }, 200],
  [{ fault: 'connection-reset' }, 0],
  [{ fault: 'authorization-service-down' }, 503],
];
for (const [fault, status] of FAULTS_BY_KIND) {
  test(`a ${fault.fault} fault can be limited to one user, and to a fixed number of requests for that user`, async () => {
    const { id } = await add({ ...fault, match: { userId: users[0]!.id.toUpperCase() }, after: 1, times: 1 });
    assert.deepEqual(await sendAll([get(1), get(0), get(1), get(0), get(0)]), [200, 200, 200, status, 200]);
    const { body } = await lab.control<Fault[]>('GET', '/faults');
    assert.deepEqual([body[0]?.id, body[0]?.hits], [id, 1]);
  });
}

test('a fault with a probability and a seed affects the same requests each time the fault is added', async () => {
  const run = async (seed?: number) => {
    const added = await add({ fault: 'problem', status: 404, operation: 'getUser', probability: 0.5, ...(seed !== undefined && { seed }) });
    const statuses = await sendAll(Array<string>(24).fill(get(0)));
    await lab.control('DELETE', '/faults');
    return { seed: added.seed, statuses };
  };
  const first = await run(7);
  const hits = first.statuses.filter((status) => status === 404).length;
  assert.ok(hits > 4 && hits < 20, String(first.statuses));
  assert.deepEqual(await run(7), first);
  const generated = await run();
  assert.deepEqual(await run(generated.seed), generated);
});

test('a fault with several parameters affects only requests that match all parameters', async () => {
  const other = users.findIndex(({ account_id }) => account_id !== users[0]!.account_id);
  await add({ fault: 'problem', status: 400, match: { accountId: users[0]!.account_id } });
  assert.deepEqual(await sendAll([list(0), list(other), list(other, '&pageSize=1'), get(0)]), [400, 200, 200, 200]);
  const [connection] = await lab.kit.store.db.selectFrom('connections').select(['account_id', 'experience_id']).execute();
  const connections = `/experience-connections?accountId=${connection?.account_id}`;
  await lab.control('DELETE', '/faults');
  await add({ fault: 'problem', status: 400, match: { accountId: connection!.account_id, experienceId: connection!.experience_id } });
  assert.deepEqual(await sendAll([connections, `${connections}&experienceId=${connection?.experience_id}`]), [200, 400]);
});

test('a fault can be limited to requests that have a parameter, with any value', async () => {
  await add({ fault: 'problem', status: 503, operation: 'getUsers', match: { cursor: '*' } });
  assert.deepEqual(await sendAll([list(0), list(0, '&cursor='), list(0, '&cursor=x')]), [200, 400, 503]);
});

test('a fault like an earlier request affects the same operation with the same parameters', async () => {
  const { traceId } = await lab.ask({ path: list(0, '&pageSize=2') });
  const added = await add({ fault: 'problem', status: 429, times: 1, like: traceId });
  const { operation, match } = added;
  assert.deepEqual([operation, match], ['getUsers', { accountId: users[0]!.account_id, pageSize: '2' }]);
  assert.ok(!('like' in added));
  assert.deepEqual(await sendAll([list(0), get(0), list(0, '&pageSize=2'), list(0, '&pageSize=2')]), [200, 200, 429, 200]);
  const user = await lab.ask({ path: get(1) });
  await add({ fault: 'problem', status: 404, like: user.traceId });
  assert.deepEqual(await sendAll([get(0), get(1), get(1)]), [200, 404, 404]);
});

test('a fault like a request is refused if there is no such request, if it has no operation, or if the fault also selects requests', async () => {
  const refuse = async (fault: object) => {
    const { status, body } = await lab.control<{ detail: string }>('POST', '/faults', { fault: 'latency', latencyMs: 1, ...fault });
    assert.equal(status, 400);
    return body.detail;
  };
  assert.match(await refuse({ like: 'unknown' }), /^The journal has no request with this trace id\./);
  const { traceId: like } = await lab.ask({ path: '/nothing' });
  assert.match(await refuse({ like }), /\(GET \/nothing\) is not a request to an operation of the service\.$/);
  assert.match(await refuse({ like, operation: 'getUser' }), /determines operation\. Omit operation, or omit like\.$/);
});

test('an authorization service outage affects only requests that reach the permission check', async () => {
  await add({ fault: 'authorization-service-down', times: 1 });
  assert.deepEqual(await sendAll([list(0, '&pageSize=0'), list(0), list(0)]), [400, 503, 200]);
  await add({ fault: 'authorization-service-down', undocumented: true, times: 2 });
  const body = { accountId: users[0]!.account_id, experienceId: users[0]!.id };
  assert.equal((await lab.ask({ method: 'POST', path: '/experience/connections', body })).status, 503);
  assert.deepEqual(await sendAll([`/users/${users[0]!.account_id}`]), [503], 'the fault also affects an unknown user');
});

test("a response fault sends the fault's status, headers and body", async () => {
  const cases: readonly [FaultRequest, type: string | null, body: string][] = [
    [{ fault: 'response', status: 200, body: { entities: 7 } }, 'application/json; charset=utf-8', '{"entities":7}'],
    [{ fault: 'response', status: 200, body: '{"cut' }, 'text/plain; charset=utf-8', '{"cut'],
    [
      { fault: 'response', status: 502, undocumented: true, body: '<p>', headers: { 'Content-Type': 'text/html', 'x-proxy': 'é' } },
      'text/html',
      '<p>',
    ],
    [{ fault: 'response', status: 500 }, null, ''],
    [{ fault: 'response', status: 204, undocumented: true }, null, ''],
    [{ fault: 'response', status: 200, body: null }, 'application/json; charset=utf-8', 'null'],
  ];
  for (const [fault, type, body] of cases) {
    await add({ ...fault, operation: 'getUser', times: 1 });
    const response = await fetch(lab.kit.url + get(0));
    assert.deepEqual([response.status, response.headers.get('content-type'), await response.text()], [fault.status, type, body]);
    if (fault.headers) assert.equal(response.headers.get('x-proxy'), 'é');
  }
  // The response to a HEAD request has the body's Content-Length, but no body.
  await add({ fault: 'response', status: 200, body: 'four' });
  const head = await fetch(lab.kit.url + get(0), { method: 'HEAD' });
  assert.deepEqual([head.headers.get('content-length'), await head.text()], ['4', '']);
});

test('a slow response delays only requests that the checks before the operation accept', async () => {
  const { id } = await add({ fault: 'slow-response', latencyMs: 0, times: 1 });
  await lab.ask({ path: get(0), headers: { authorization: 'Bearer invalid' } });
  const readHits = async () => (await lab.control<Fault[]>('GET', '/faults')).body.find((fault) => fault.id === id)?.hits;
  assert.equal(await readHits(), 0);
  assert.deepEqual(await sendAll([get(0)]), [200]);
  assert.equal(await readHits(), 1);
});

test('a problem fault may have additional headers', async () => {
  await add({ fault: 'problem', status: 503, operation: 'getUser', headers: { 'Retry-After': '7' } });
  // The fault applies before the token is read.
  const { status, headers } = await fetch(`${lab.kit.url}${get(0)}`);
  assert.deepEqual([status, headers.get('retry-after')], [503, '7']);
});

test('the explanation for an injected response names the fault that injected it', async () => {
  for (const [status, body] of [
    [200, { entities: [] }],
    [404, { type: '/problems/users.get.not-found', title: 'Not Found', status: 404, traceId: 'x' }],
  ] as const) {
    const { id } = await add({ fault: 'response', status, body, operation: 'getUser', probability: 0.9, seed: 3 });
    const { outcome, reason, state, change } = await lab.explained({ path: get(0) });
    assert.deepEqual([outcome, reason?.id, state?.cause], [status < 400 ? 'injected response' : 'refused', 'http.injected-fault', 'fault']);
    assert.equal(change?.text, `Remove the fault ${id}.`);
    await lab.control('DELETE', '/faults');
  }
  const { id } = await add({ fault: 'problem', status: 503, operation: 'getUser', times: 1 });
  const { change } = await lab.explained({ path: get(0) });
  assert.deepEqual(change, { text: `Send the request again: the fault ${id} is used up.` });
  await lab.control('DELETE', '/faults');
});

test('if two problem faults match a request, only the first one applies, after the latency faults that were added before it', async () => {
  await add({ fault: 'latency', latencyMs: 1, times: 2 });
  for (const status of [503, 500]) await add({ fault: 'problem', status, operation: 'getUser', times: 1 });
  await add({ fault: 'problem', status: 500, operation: 'getUser', probability: 1, seed: 1, after: 1, times: 1 });
  const hits = async () => (await lab.control<Fault[]>('GET', '/faults')).body.map((fault) => fault.hits);
  assert.deepEqual(await sendAll([get(0)]), [503]);
  assert.deepEqual(await hits(), [1, 1, 0, 0]);
  assert.deepEqual(await sendAll([get(0), get(0), get(0), get(0)]), [500, 200, 500, 200]);
  assert.deepEqual(await hits(), [2, 1, 1, 1]);
});

test('a response fault can send any success status if the API documents 2XX for the operation', async () => {
  await add({ fault: 'response', status: 202, operation: 'createExperienceConnection', times: 1 });
  assert.deepEqual(await sendAll(['/experience/connections'], 'POST'), [202]);
});

test("a problem fault with a rule affects only operations with this rule, and sends the rule's status and type", async () => {
  await add({ fault: 'problem', rule: 'users.get.rate', times: 1 });
  assert.deepEqual(await sendAll([list(0)]), [200]);
  const { status, reason, state } = await lab.explained({ path: get(0) });
  assert.deepEqual([status, reason?.id, state?.cause], [429, 'users.get.rate', 'fault']);
});
