import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { type Lab, startLab } from '../testing/event-lab.ts';
import { callControl } from './testing/call.ts';

type Problem = components['schemas']['Problem'] & { readonly errors?: { pointer: string; message: string }[] };
type RefusedRequest = readonly [request: string, body: unknown, pointer: string | undefined, detail: RegExp];

const EVENT_TYPES = ['experience.connection.created'];
const USER_REQUEST = { userId: '019cb8c1-2f10-7d4b-9e8a-0b1c2d3e4f50', accountId: '8c2d4e6f-1a3b-4c5d-8e7f-9a0b1c2d3e4f' };
const RAW_EVENT_REQUEST = {
  subscription: 'all',
  type: 'provisioning.user.deleted',
  data: { ...USER_REQUEST, updatedAt: '2026-03-01T09:30:00Z' },
};
const createRefusedFault = (body: object, pointer: string, detail: RegExp): RefusedRequest => ['POST /faults', body, pointer, detail];
const createRefusedRawEvent = (body: object, pointer: string | undefined, detail: RegExp): RefusedRequest => [
  'POST /events/raw',
  body,
  pointer,
  detail,
];
const createRefusedSubscription = (body: object, pointer: string, detail: RegExp): RefusedRequest => [
  'POST /subscriptions',
  body,
  pointer,
  detail,
];

const INVALID_REQUESTS: readonly RefusedRequest[] = [
  ['GET /requests?stauts=404', undefined, '?stauts', /^stauts is not a known name; the known names are operation, status/],
  ['GET /info?a=1', undefined, '?a', /^a is not a known name\.$/],
  ['GET /deliveries?state=pending&state=held', undefined, undefined, /^The parameter state is given 2 times\. Send it once\.$/],
  ['GET /requests?status=good', undefined, '?status', /status must be a status such as 404/],
  ['GET /requests?limit=0', undefined, '?limit', /limit must be at least 1/],
  ['GET /requests?limit=1001', undefined, '?limit', /limit must be at most 1000/],
  ['GET /requests?since=x', undefined, '?since', /since must be a whole number/],
  ['GET /requests?operation=getUsr', undefined, undefined, /no operation "getUsr"\. Did you mean "getUser"/],
  ['GET /requests?operation=mintToken', undefined, undefined, /no operation "mintToken"/],
  ['POST /requests/wait', { timeoutMs: 60_001 }, '/timeoutMs', /timeoutMs must be at most 60000/],
  ['POST /requests/wait', { operation: 'getUsr' }, undefined, /Did you mean "getUser"/],
  ['POST /requests/wait', { status: 'good' }, '/status', /status must be a status/],
  ['POST /requests/wait', [], '', /^The body must be a JSON object\.$/],
  ['POST /state/accounts?as=provider', { name: 'X' }, '?as', /as must be one of portal, platform/],
  ['GET /deliveries?type=experience.conection.created', undefined, undefined, /Did you mean "experience\.connection\.created"/],
  ['GET /deliveries?state=pendin', undefined, '?state', /state must be one of pending, acknowledged, exhausted, held/],
  ['GET /deliveries?subscription=alll', undefined, undefined, /no subscription "alll"\. Did you mean "all"/],
  ['POST /deliveries/wait', { type: 'experience.connection.createt' }, undefined, /Did you mean/],
  ...['2026-03-01T09:30:00Z', 'all', ''].map(
    (since): RefusedRequest => [
      'POST /deliveries/wait',
      { since },
      '/since',
      /since must be a position from GET \/_control\/clock \(xpk clock --json\), or the id/,
    ],
  ),
  ['POST /subscriptions/all/recover', { since: '2026-06-30T23:59:60Z' }, undefined, /since must be an instant/],
  ['GET /stream?only=request', undefined, undefined, /"only" cannot contain "request"\. Did you mean "requests"/],
  ['GET /stream?only=', undefined, undefined, /one or more of requests, events, deliveries/],
  ...['seed', 'empty', '-x', 'Upper', 'a_b', 'a%2Fb', 'a%0A', 'x'.repeat(64)].map(
    (name): RefusedRequest => [
      `PUT /snapshots/${name}`,
      undefined,
      undefined,
      /must be 1 to 63 lower-case letters.*seed and empty are reserved/,
    ],
  ),
  ['POST /reset', { to: 'nothing' }, '/to', /There is no snapshot "nothing"\./],

  createRefusedFault(
    { fault: 'problem', status: 500, operation: 'getUsr' },
    '/operation',
    /There is no operation "getUsr"\. Did you mean "getUser"\?$/,
  ),
  createRefusedFault({ fault: 'problem' }, '/status', /The fault "problem" needs status\.$/),
  createRefusedFault({ fault: 'latency', latencyMaxMs: 5 }, '/latencyMs', /needs latencyMs\.$/),
  createRefusedFault(
    { fault: 'problem', status: 500, latencyMs: 5 },
    '/latencyMs',
    /cannot have latencyMs\. Only these faults can: latency\.$/,
  ),
  createRefusedFault(
    { fault: 'connection-reset', status: 500 },
    '/status',
    /cannot have status\. Only these faults can: problem, response\.$/,
  ),
  createRefusedFault({ fault: 'latency', latencyMs: 5, latencyMaxMs: 4 }, '/latencyMaxMs', /latencyMaxMs cannot be less than latencyMs\.$/),
  createRefusedFault({ fault: 'connection-reset', seed: 1 }, '/seed', /A seed has no effect without probability or latencyMaxMs\.$/),
  createRefusedFault({ fault: 'connection-reset', probability: 0 }, '/probability', /must be a number greater than 0 and at most 1\.$/),
  createRefusedFault({ fault: 'connection-reset', match: {} }, '/match', /must be an object with at least one parameter/),
  createRefusedFault({ fault: 'problem', status: 200 }, '/status', /A problem's status must be from 400 to 599\.$/),
  createRefusedFault(
    { fault: 'problem', status: 418, operation: 'getUser' },
    '/status',
    /To inject it anyway, set undocumented \(--undocumented\) to true\.$/,
  ),
  createRefusedFault(
    { fault: 'response', status: 204, operation: 'deleteExperienceAssignment', body: {} },
    '/body',
    /with status 204 has no body/,
  ),
  createRefusedFault(
    { fault: 'response', status: 200, headers: { 'Content-Length': '1' } },
    '/headers/Content-Length',
    /The server sets the Content-Length header/,
  ),
  createRefusedFault(
    { fault: 'authorization-service-down', operation: 'getExperienceConnections' },
    '/operation',
    /503 is not documented for/,
  ),
  createRefusedFault(
    { fault: 'connection-reset', operation: 'getUser', match: { userid: 'x' } },
    '/match/userid',
    /Did you mean "userId"\?$/,
  ),
  createRefusedFault(
    { fault: 'connection-reset', match: { state: 'x' } },
    '/match/state',
    /No operation has a path or query parameter "state"\./,
  ),
  createRefusedFault(
    { fault: 'connection-reset', match: { userId: 'x', accountId: 'y' } },
    '/match',
    /all of the parameters userId, accountId\.$/,
  ),
  createRefusedFault(
    { fault: 'problem', status: 503, match: { assignmentId: 'x' } },
    '/status',
    /503 is not documented for any operation that can match\./,
  ),

  createRefusedRawEvent(
    { ...RAW_EVENT_REQUEST, data: { ...RAW_EVENT_REQUEST.data, userId: undefined } },
    '/data/userId',
    /Set allowInvalid \(--allow-invalid\) to send/,
  ),
  createRefusedRawEvent({ ...RAW_EVENT_REQUEST, type: 'provisioning.user.delete' }, '/type', /Did you mean "provisioning\.user\.deleted"/),
  createRefusedRawEvent(
    { subscription: 'all', body: { type: RAW_EVENT_REQUEST.type, data: RAW_EVENT_REQUEST.data } },
    '/body/timestamp',
    /Set allowInvalid/,
  ),
  createRefusedRawEvent({ subscription: 'all', body: {} }, '/body/type', /Set allowInvalid/),
  createRefusedRawEvent({ subscription: 'all', body: '{"type": ' }, '/body', /must be a JSON object/),
  createRefusedRawEvent({ subscription: 'all' }, '/type', /type is missing/),
  createRefusedRawEvent({ subscription: 'all', type: RAW_EVENT_REQUEST.type }, '/data', /data is missing/),
  createRefusedRawEvent({ ...RAW_EVENT_REQUEST, body: {} }, '/type', /has no effect with body/),
  createRefusedRawEvent({ ...RAW_EVENT_REQUEST, subscription: 'alll' }, undefined, /Did you mean "all"/),
  createRefusedRawEvent(
    { ...RAW_EVENT_REQUEST, headers: { 'Webhook-Id': 'mine' } },
    '/headers/Webhook-Id',
    /The kit sets the header Webhook-Id/,
  ),
  createRefusedRawEvent({ ...RAW_EVENT_REQUEST, headers: { a: 'b\r\nc: d' } }, '/headers/a', /must be a header value/),
  createRefusedRawEvent({ subscription: 'all', body: 'a\0b', allowInvalid: true }, '/body', /NUL/),
  createRefusedRawEvent(
    { ...RAW_EVENT_REQUEST, data: createNestedList(2000) },
    undefined,
    /^The body has more than 100 levels of lists and objects\.$/,
  ),

  createRefusedSubscription({ providerId: 'acme' }, '/providerId', /known names are id, alias, provider, experience, types/),
  createRefusedSubscription({ types: ['experience.connection.create'] }, '/types/0', /must be one of/),
  createRefusedSubscription({ experience: 'dek' }, '/experience', /There is no experience "dek". Did you mean "desk"/),
  createRefusedSubscription({ provider: 'acm' }, '/provider', /provider: There is no provider "acm". Did you mean "acme"/),
  createRefusedSubscription({ provider: 'acme', experience: 'dek' }, '/experience', /experience: There is no experience "dek"/),
  createRefusedSubscription({ types: [] }, '/types', /types must/),
  ...['file:///etc/passwd', 'http://', 'http://user:pw@x.test/', 'https://x.test/#top', 'nonsense'].map((destinationUrl) =>
    createRefusedSubscription(
      { types: EVENT_TYPES, destinationUrl },
      '/destinationUrl',
      /destinationUrl must be an http or https URL in ASCII/,
    ),
  ),
];

const NOT_FOUND_REQUESTS: readonly RefusedRequest[] = [
  ['GET /subscriptions/alll', undefined, undefined, /There is no subscription "alll"\. Did you mean "all"/],
  ['DELETE /subscriptions/nobody', undefined, undefined, /There is no subscription/],
  ['PUT /subscriptions/nobody/delivery-mode', { hold: true }, undefined, /There is no subscription/],
  ['GET /deliveries/nothing', undefined, undefined, /There is no delivery "nothing"/],
  ['POST /deliveries/a%00/redeliver', undefined, undefined, /There is no delivery/],
  ['DELETE /faults/fault-0', undefined, undefined, /There is no fault "fault-0"/],
  ['DELETE /snapshots/nothing', undefined, undefined, /There is no snapshot "nothing"\. There are none\./],
  [`GET /requests/${'0'.repeat(32)}`, undefined, undefined, /no request with this trace id/],
  [
    'POST /requests/wait',
    { operation: 'getUser', status: 503, timeoutMs: 1 },
    undefined,
    /^No request with the operation getUser, with the status 503 arrived within 1 ms\.$/,
  ],
];

function createNestedList(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

let lab: Lab;
before(async () => {
  lab = await startLab();
});
after(() => lab.close());

for (const [status, table] of [
  [400, INVALID_REQUESTS],
  [404, NOT_FOUND_REQUESTS],
] as const) {
  for (const [request, body, pointer, detail] of table) {
    test(`${request} ${JSON.stringify(body)?.slice(0, 200) ?? ''} is refused with ${status}`, async () => {
      const [method = '', path = ''] = request.split(' ');
      const { status: received, body: problem } = await callControl<Problem>(lab.kit.url, method, path, body);
      assert.deepEqual([received, problem.errors?.[0]?.pointer], [status, pointer], JSON.stringify(problem));
      assert.match(problem.detail ?? '', detail);
    });
  }
}

test('the refused requests change nothing', async () => {
  assert.deepEqual(await lab.deliveries(), []);
  assert.deepEqual(await lab.control('GET', '/faults'), []);
  assert.equal((await lab.control<object[]>('GET', '/subscriptions')).length, 1);
});
