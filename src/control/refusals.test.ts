import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { startLab } from '../testing/event-lab.ts';
import { callControl } from './testing/call.ts';

type Problem = components['schemas']['Problem'] & { readonly errors?: { pointer: string; message: string }[] };
type Refusal = readonly [pointer: string | undefined, detail: RegExp];
type RefusedRequest = readonly [request: string, ...Refusal, body?: unknown];
type RefusedBody = readonly [body: unknown, ...Refusal];

const RAW_TYPE = 'provisioning.user.deleted';
const RAW_DATA = {
  userId: '019cb8c1-2f10-7d4b-9e8a-0b1c2d3e4f50',
  accountId: '8c2d4e6f-1a3b-4c5d-8e7f-9a0b1c2d3e4f',
  updatedAt: '2026-03-01T09:30:00Z',
};
const RAW_EVENT = { subscription: 'all', type: RAW_TYPE, data: RAW_DATA };
const createNestedList = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

const INVALID_REQUESTS: readonly RefusedRequest[] = [
  ['GET /requests?stauts=404', '?stauts', /^stauts is not a known name; the known names are operation, status/],
  ['GET /info?a=1', '?a', /^a is not a known name\.$/],
  ['GET /deliveries?state=pending&state=held', undefined, /^The parameter state is given 2 times\. Send it once\.$/],
  ['GET /requests?status=good', '?status', /status must be a status such as 404/],
  ['GET /requests?limit=0', '?limit', /limit must be at least 1/],
  ['GET /requests?limit=1001', '?limit', /limit must be at most 1000/],
  ['GET /requests?since=x', '?since', /since must be a whole number/],
  ['GET /requests?operation=getUsr', undefined, /no operation "getUsr"\. Did you mean "getUser"/],
  ['GET /requests?operation=mintToken', undefined, /no operation "mintToken"/],
  ['GET /deliveries?type=experience.conection.created', undefined, /Did you mean "experience\.connection\.created"/],
  ['GET /deliveries?state=pendin', '?state', /state must be one of pending, acknowledged, exhausted, held/],
  ['GET /deliveries?order=due-first&state=held', '?order', /Only pending deliveries are due/],
  ['GET /deliveries?subscription=alll', undefined, /no subscription "alll"\. Did you mean "all"/],
  ['GET /events?type=no.such', undefined, /There is no event type .*no\.such/],
  ['GET /explain?type=experience.connection.activate', undefined, /Did you mean/],
  ['GET /explain?subscription=al', undefined, /There is no subscription/],
  ['GET /explain?since=yesterday', '?since', /position from GET/],
  ['GET /stream?only=request', undefined, /"only" cannot contain "request"\. Did you mean "requests"/],
  ['GET /stream?only=', undefined, /one or more of requests, events, deliveries/],
  ['GET /state/users?account=nort', '?account', /Did you mean "north"/],
  ['GET /state/users?provider=acme', '?provider', /^The users have no provider\.$/],
  ['GET /state/users?target=x', '?target', /^The users have no target\.$/],
  ['GET /state/users?after=%00', '?after', /must not contain a NUL character/],
  ['POST /state/accounts?as=provider', '?as', /as must be one of portal, platform/, { name: 'X' }],
  ...['seed', 'empty', '-x', 'Upper', 'a_b', 'a%2Fb', 'a%0A', 'x'.repeat(64)].map(
    (name): RefusedRequest => [`PUT /snapshots/${name}`, undefined, /must be 1 to 63 lower-case letters.*seed and empty are reserved/],
  ),
];

const INVALID_BODIES: Readonly<Record<string, readonly RefusedBody[]>> = {
  'POST /requests/wait': [
    [{ timeoutMs: 60_001 }, '/timeoutMs', /timeoutMs must be at most 60000/],
    [{ operation: 'getUsr' }, undefined, /Did you mean "getUser"/],
    [{ status: 'good' }, '/status', /status must be a status/],
    [[], '', /^The body must be a JSON object\.$/],
  ],
  'POST /deliveries/wait': [
    [{ type: 'experience.connection.createt' }, undefined, /Did you mean/],
    ...['2026-03-01T09:30:00Z', 'all', ''].map(
      (since): RefusedBody => [{ since }, '/since', /since must be a position from GET \/_control\/clock \(xpk clock --json\), or the id/],
    ),
  ],
  'POST /subscriptions/all/recover': [[{ since: '2026-06-30T23:59:60Z' }, undefined, /since must be an instant/]],
  'POST /signatures/check': [
    [{ body: '{}', headers: {} }, '/secret', /The secret is missing/],
    [{ secret: `whsec_${'a'.repeat(32)}` }, '/body', /The body is missing/],
  ],
  'POST /reset': [
    [{ to: 'tow' }, '/to', /^There is no snapshot "tow"\. Did you mean "two"\? There are: one, two\.$/],
    [{ to: 'sed' }, '/to', /Did you mean "seed"/],
  ],
  'POST /faults': [
    [{ fault: 'problem', status: 500, operation: 'getUsr' }, '/operation', /There is no operation "getUsr"\. Did you mean "getUser"\?$/],
    [{ fault: 'problem' }, '/status', /The fault "problem" needs status\.$/],
    [{ fault: 'latency', latencyMaxMs: 5 }, '/latencyMs', /needs latencyMs\.$/],
    [
      { fault: 'problem', status: 500, latencyMs: 5 },
      '/latencyMs',
      /cannot have latencyMs\. Only these faults can: latency, slow-response\.$/,
    ],
    [{ fault: 'connection-reset', status: 500 }, '/status', /cannot have status\. Only these faults can: problem, response\.$/],
    [{ fault: 'latency', latencyMs: 5, latencyMaxMs: 4 }, '/latencyMaxMs', /latencyMaxMs cannot be less than latencyMs\.$/],
    [{ fault: 'connection-reset', seed: 1 }, '/seed', /A seed has no effect without probability or latencyMaxMs\.$/],
    [{ fault: 'connection-reset', probability: 0 }, '/probability', /must be a number greater than 0 and at most 1\.$/],
    [{ fault: 'connection-reset', match: {} }, '/match', /must be an object with at least one parameter/],
    [{ fault: 'problem', status: 200 }, '/status', /A problem's status must be from 400 to 599\.$/],
    [
      { fault: 'problem', status: 418, operation: 'getUser' },
      '/status',
      /To inject it anyway, set undocumented \(--undocumented\) to true\.$/,
    ],
    [{ fault: 'response', status: 204, operation: 'deleteExperienceAssignment', body: {} }, '/body', /with status 204 has no body/],
    [
      { fault: 'response', status: 200, headers: { 'Content-Length': '1' } },
      '/headers/Content-Length',
      /The server sets the Content-Length header/,
    ],
    [{ fault: 'authorization-service-down', operation: 'getExperienceConnections' }, '/operation', /503 is not documented for/],
    [{ fault: 'connection-reset', operation: 'getUser', match: { userid: 'x' } }, '/match/userid', /Did you mean "userId"\?$/],
    [{ fault: 'connection-reset', match: { state: 'x' } }, '/match/state', /No operation has a path or query parameter "state"\./],
    [{ fault: 'connection-reset', match: { userId: 'x', accountId: 'y' } }, '/match', /all of the parameters userId, accountId\.$/],
    [
      { fault: 'problem', status: 503, match: { assignmentId: 'x' } },
      '/status',
      /503 is not documented for any operation that can match\./,
    ],
    [
      { fault: 'problem', rule: 'users.get.rat' },
      '/rule',
      /no rule "users\.get\.rat" that refuses requests\. Did you mean "users\.get\.rate"/,
    ],
    [{ fault: 'problem', rule: 'connections.update.activates' }, '/rule', /no rule "connections\.update\.activates" that refuses requests/],
    [{ fault: 'problem', rule: 'users.get.rate', operation: 'getUsers' }, '/rule', /a rule for getUser, not for getUsers/],
    [{ fault: 'problem', rule: 'users.get.rate', status: 429 }, '/status', /Omit status/],
    [{ fault: 'response', rule: 'users.get.rate' }, '/rule', /cannot have rule/],
  ],
  'POST /events/raw': [
    [{ ...RAW_EVENT, data: { ...RAW_DATA, userId: undefined } }, '/data/userId', /Set allowInvalid \(--allow-invalid\) to send/],
    [{ ...RAW_EVENT, type: 'provisioning.user.delete' }, '/type', /Did you mean "provisioning\.user\.deleted"/],
    [{ subscription: 'all', body: { type: RAW_TYPE, data: RAW_DATA } }, '/body/timestamp', /Set allowInvalid/],
    [{ subscription: 'all', body: {} }, '/body/type', /Set allowInvalid/],
    [{ subscription: 'all', body: '{"type": ' }, '/body', /must be a JSON object/],
    [{ subscription: 'all' }, '/type', /type is missing/],
    [{ subscription: 'all', type: RAW_TYPE }, '/data', /data is missing/],
    [{ ...RAW_EVENT, body: {} }, '/type', /has no effect with body/],
    [{ ...RAW_EVENT, subscription: 'alll' }, undefined, /Did you mean "all"/],
    [{ ...RAW_EVENT, headers: { 'Webhook-Id': 'mine' } }, '/headers/Webhook-Id', /The kit sets the header Webhook-Id/],
    [{ ...RAW_EVENT, headers: { a: 'b\r\nc: d' } }, '/headers/a', /must be a header value/],
    [{ subscription: 'all', body: 'a\0b', allowInvalid: true }, '/body', /NUL/],
    [{ ...RAW_EVENT, data: createNestedList(2000) }, undefined, /^The body has more than 100 levels of lists and objects\.$/],
  ],
  'POST /subscriptions': [
    [{ providerId: 'acme' }, '/providerId', /known names are id, alias, provider, experience, types/],
    [{ types: ['experience.connection.create'] }, '/types/0', /must be one of/],
    [{ experience: 'dek' }, '/experience', /There is no experience "dek". Did you mean "desk"/],
    [{ provider: 'acm' }, '/provider', /provider: There is no provider "acm". Did you mean "acme"/],
    [{ provider: 'acme', experience: 'dek' }, '/experience', /experience: There is no experience "dek"/],
    [{ types: [] }, '/types', /types must/],
    ...['file:///etc/passwd', 'http://', 'http://user:pw@x.test/', 'https://x.test/#top', 'nonsense'].map(
      (destinationUrl): RefusedBody => [{ destinationUrl }, '/destinationUrl', /destinationUrl must be an http or https URL in ASCII/],
    ),
  ],
};

const NOT_FOUND_REQUESTS: readonly RefusedRequest[] = [
  ['GET /subscriptions/alll', undefined, /There is no subscription "alll"\. Did you mean "all"/],
  ['DELETE /subscriptions/nobody', undefined, /There is no subscription/],
  ['PUT /subscriptions/nobody/delivery-mode', undefined, /There is no subscription/, { hold: true }],
  ['GET /deliveries/nothing', undefined, /There is no delivery "nothing"/],
  ['POST /deliveries/a%00/redeliver', undefined, /There is no delivery/],
  ['POST /signatures/check', undefined, /There is no delivery/, { deliveryId: 'none' }],
  ['GET /events/none', undefined, /There is no event .*none/],
  ['DELETE /faults/fault-0', undefined, /There is no fault "fault-0"/],
  ['DELETE /snapshots/nothing', undefined, /There is no snapshot "nothing"\. There are: one, two\./],
  ['POST /scenarios/slo/load', undefined, /Did you mean "?slow/],
  [`GET /requests/${'0'.repeat(32)}`, undefined, /no request with this trace id/],
  [
    'POST /requests/wait',
    undefined,
    /^No request with the operation getUser, with the status 503 arrived within 1 ms\.$/,
    { operation: 'getUser', status: 503, timeoutMs: 1 },
  ],
];

const CONFLICTING_REQUESTS: readonly RefusedRequest[] = [
  ['POST /scenarios/rate-limited-users/load', undefined, /users\.rate-limit=2.*xpk start --scenario rate-limited-users/],
];

const lab = await startLab();
after(() => lab.close());
for (const name of ['one', 'two']) await lab.control('PUT', `/snapshots/${name}`);
await lab.control('POST', '/faults', { fault: 'latency', latencyMs: 1 });
const readState = () =>
  Promise.all(['/state', '/snapshots', '/faults', '/subscriptions', '/deliveries'].map((path) => lab.control('GET', path)));
const stateBefore = await readState();

for (const [status, table] of [
  [400, INVALID_REQUESTS],
  [
    400,
    Object.entries(INVALID_BODIES).flatMap(([request, rows]) => rows.map(([body, ...refusal]) => [request, ...refusal, body] as const)),
  ],
  [404, NOT_FOUND_REQUESTS],
  [409, CONFLICTING_REQUESTS],
] as const) {
  for (const [request, pointer, detail, body] of table) {
    test(`${request} ${JSON.stringify(body)?.slice(0, 200) ?? ''} is refused with ${status}`, async () => {
      const [method = '', path = ''] = request.split(' ');
      const { status: received, body: problem } = await callControl<Problem>(lab.kit.url, method, path, body);
      assert.deepEqual([received, problem.errors?.[0]?.pointer], [status, pointer], JSON.stringify(problem));
      assert.match(problem.detail ?? '', detail);
    });
  }
}

test('the refused requests change nothing', async () => assert.deepEqual(await readState(), stateBefore));
