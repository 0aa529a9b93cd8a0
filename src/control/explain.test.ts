import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { after, before, mock, test } from 'node:test';
import { ASSIGNMENTS_PATH, buildDemoRequest, CONNECTIONS_PATH } from '../checks/scenarios/demo-requests.ts';
import { listScenarios, ruleScenarios } from '../checks/scenarios/list-scenarios.ts';
import { decisions } from '../contract/generated/decisions-table.ts';
import { sendRaw } from '../http/testing/raw-client.ts';
import { UNKNOWN_NUMBER, UNKNOWN_UUID } from '../refusals/hostile-values.ts';
import { type ExplainingKit, getId, startExplainingKit, type TestRequest } from '../testing/explaining-kit.ts';

// Rate limits and the users list's lag must not depend on the machine.
before(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
after(() => mock.timers.reset());

let kit: ExplainingKit;
before(async () => {
  kit = await startExplainingKit();
});
after(() => kit.kit.close());

async function checkSuggestion({ ask, explain, apply, restart }: ExplainingKit, id: string, request: TestRequest): Promise<void> {
  await restart();
  const { traceId, status, text } = await ask(request);
  assert.equal(JSON.parse(text).type, `/problems/${id}`, text);
  const { outcome, status: explained, reason, change } = await explain(traceId);
  assert.deepEqual([outcome, explained, reason?.id], ['refused', status, id], text);
  assert.ok(reason?.text && change, id);
  const again = await apply(request, change);
  const isSuccess = again.status !== undefined && again.status < 300;
  assert.ok(isSuccess, `${id} ${request.path}: ${JSON.stringify(change)} ${again.status} ${again.text}`);
}

test('every refusal is explained by a rule, and the request succeeds after the suggested change', async () => {
  for (const { expected, scenario } of listScenarios().filter(({ id }) => !id.startsWith('oauth.'))) {
    const { request, fault, cursorOf, copies } = scenario;
    const given = { ...(fault && { fault }), ...(cursorOf !== undefined && { cursorOf }), ...(copies !== undefined && { copies }) };
    if (expected.reason !== null) await checkSuggestion(kit, expected.reason, { ...request, ...given });
  }
});

const OTHER_DECISIONS = {
  'http.body.content-type': 415,
  'http.query.unknown-parameter': 400,
  'http.path-id': 400,
  'lists.hidden-account': 404,
  'assignments.list.account-with-target': 400,
  'assignments.create.needs-connection': 409,
  'connections.list.unknown-number': 404,
  'connections.list.malformed-tn-beside-number': 400,
  'users.rate-limit': 3,
} as const;

/** Requests that a kit with OTHER_DECISIONS refuses, and the reasons. */
const OTHER_REFUSALS: readonly (readonly [reason: string, request: TestRequest])[] = [
  ['http.unsupported-media-type', { ...buildDemoRequest('createExperienceAssignment'), headers: { 'content-type': 'text/plain' } }],
  ['http.unknown-parameter', buildDemoRequest('getUsers', { values: { limit: 5 } })],
  ['http.path-id', buildDemoRequest('getExperienceAssignment', { id: 'x' })],
  ['http.path-id', buildDemoRequest('deleteExperienceConnection', { id: 'x' })],
  ['lists.hidden-account', buildDemoRequest('getExperienceAssignments', { values: { accountId: '{accounts/tailspin}' } })],
  ['lists.hidden-account', buildDemoRequest('getExperienceConnections', { values: { accountId: UNKNOWN_UUID } })],
  [
    'assignments.list.account-with-target',
    buildDemoRequest('getExperienceAssignments', { values: { targetType: 'PHONE_NUMBER', targetValue: '+12065550100' } }),
  ],
  [
    'assignments.create.needs-connection',
    buildDemoRequest('createExperienceAssignment', { values: { targetType: 'ACCOUNT', targetValue: '{accounts/spare}' } }),
  ],
  ['connections.list.unknown-number', buildDemoRequest('getExperienceConnections', { valid: { telephoneNumber: UNKNOWN_NUMBER } })],
  [
    'connections.list.malformed-tn-beside-number',
    buildDemoRequest('getExperienceConnections', { valid: { telephoneNumber: '+12065550100', tn: 1 } }),
  ],
  ['users.list.rate', { ...buildDemoRequest('getUsers'), copies: 4 }],
  ['users.get.rate', { ...buildDemoRequest('getUser'), copies: 4 }],
];

test('a refusal that depends on a non-default decision is explained by the decision and its value', async () => {
  const other = await startExplainingKit({ set: OTHER_DECISIONS });
  try {
    for (const [reason, request] of OTHER_REFUSALS) await checkSuggestion(other, reason, request);
    const { reason } = await other.explained({ path: `${ASSIGNMENTS_PATH}?accountId={accounts/tailspin}` });
    assert.deepEqual([reason?.kind, reason?.inForce, reason?.alternatives], ['decision', 404, ['empty', 403]]);
  } finally {
    await other.kit.close();
  }
});

/** Decisions that determine refusals, but never appear in a problem document. */
const UNNAMED_DECISIONS = [
  'http.query.duplicate-parameter',
  'http.query.unknown-parameter',
  'http.body.content-type',
  'http.body.read-only-fields',
  'http.outage',
];

test('the refusal tables contain every decision that can refuse a request', () => {
  const isRefusal = (value: unknown) => typeof value === 'number' && value >= 400 && value < 600;
  const refusing = Object.entries(decisions).filter(
    ([, { default: standard, alternatives = [], values }]) => !values && [standard, ...alternatives].some(isRefusal),
  );
  const shown = ruleScenarios.filter(({ scenarios }) => scenarios.length > 0).map(({ id }) => id);
  const covered = [...shown, ...OTHER_REFUSALS.map(([reason]) => reason), ...UNNAMED_DECISIONS];
  assert.deepEqual(
    refusing.map(([id]) => id).filter((id) => !covered.includes(id)),
    [],
  );
});

const createTarget = (value: string) => `${ASSIGNMENTS_PATH}?targetType=PHONE_NUMBER&targetValue=%2B${value}`;
const EMPTY_LIST_REQUESTS: readonly (readonly [path: string, cause: string, facts: object])[] = [
  [`/users?accountId=${UNKNOWN_UUID}`, 'unknown', { what: 'account' }],
  ['/users?accountId={accounts/tailspin}', 'levels', { principalLevel: 'none' }],
  ['/users?accountId={accounts/spare}', 'empty list', { total: 0 }],
  [`${ASSIGNMENTS_PATH}?accountId=${UNKNOWN_UUID}`, 'unknown', { what: 'account' }],
  [`${ASSIGNMENTS_PATH}?accountId={accounts/tailspin}`, 'levels', { principalLevel: 'none' }],
  [`${ASSIGNMENTS_PATH}?accountId={accounts/spare}`, 'empty list', { total: 0, matching: 0 }],
  [`${ASSIGNMENTS_PATH}?accountId={accounts/contoso}&targetType=USER`, 'empty list', { total: 2, matching: 0 }],
  [createTarget('12065559999'), 'unknown', { what: 'telephone number' }],
  [createTarget('12065550103'), 'empty list', { total: 0 }],
  [createTarget('12065550190'), 'empty list', { matching: 1 }],
  [`${CONNECTIONS_PATH}?telephoneNumber=%2B12065559999`, 'unknown', { what: 'telephone number' }],
  [`${CONNECTIONS_PATH}?telephoneNumber=%2B12065550190`, 'levels', { principalLevel: 'none' }],
  [`${CONNECTIONS_PATH}?accountId={accounts/spare}`, 'empty list', { total: 0 }],
  [`${CONNECTIONS_PATH}?accountId={accounts/fabrikam}&experienceId={experiences/reception}`, 'empty list', { total: 1, matching: 0 }],
  [`${CONNECTIONS_PATH}?accountId={accounts/contoso}&experienceId={experiences/switchboard}`, 'empty list', { matching: 1 }],
];

test('an empty list is explained, and the list has entities after the suggested change', async () => {
  for (const [path, cause, facts] of EMPTY_LIST_REQUESTS) {
    await kit.restart();
    const { outcome, state, change } = await kit.explained({ path });
    assert.deepEqual([outcome, state?.cause], ['empty list', cause], path);
    assert.deepEqual({ ...state?.facts, ...facts }, state?.facts, path);
    const { text } = await kit.apply({ path }, change!);
    assert.notDeepEqual(JSON.parse(text).entities, [], `${path} ${JSON.stringify(change)}`);
  }
});

test('the explanation for an empty users list reports whether users will appear later', async () => {
  await kit.control('POST', '/state/users', { account: 'spare' });
  const path = '/users?accountId={accounts/spare}';
  const { state, change } = await kit.explained({ path });
  assert.deepEqual(state?.facts, { accountId: getId('accounts', 'spare'), total: 1, lagMs: 250 });
  assert.equal(JSON.parse((await kit.apply({ path }, change!)).text).count, 1);
});

test('a request for an empty list executes no more SQL statements than a request for a list with entities', async () => {
  await kit.restart();
  const counters = (['all', 'get', 'iterate', 'run'] as const).map((method) => mock.method(StatementSync.prototype, method));
  // Counts only statements on the list's tables, because the dispatcher reads other tables at the same time.
  const isListStatement = ({ this: statement }: { this: unknown }) =>
    /"(accounts|assignments|connections|user_counts|user_list|users)"/.test((statement as StatementSync).sourceSQL);
  const statements = () => counters.flatMap(({ mock: { calls } }) => calls).filter(isListStatement).length;
  async function countStatements(path: string): Promise<number> {
    await kit.ask({ path });
    // A write clears the cached results of earlier queries.
    await kit.kit.store.db.deleteFrom('meta').where('key', '=', 'unknown').execute();
    const before = statements();
    await kit.ask({ path });
    return statements() - before;
  }
  for (const list of [ASSIGNMENTS_PATH, CONNECTIONS_PATH, '/users']) {
    const full = await countStatements(`${list}?accountId={accounts/northwind}`);
    assert.ok(full > 0);
    assert.equal(await countStatements(`${list}?accountId={accounts/spare}`), full, list);
  }
  for (const { mock: counter } of counters) counter.restore();
});

test('if a target is not assignable, the response is explained, and the target is assignable after the suggested change', async () => {
  for (const [value, cause] of [
    ['12065559999', 'unknown'],
    ['12065550191', 'levels'],
    ['12065550100', 'already assigned'],
  ] as const) {
    await kit.restart();
    const request = buildDemoRequest('getExperienceAssignability', { values: { targetValue: `+${value}` } });
    const { outcome, state, change } = await kit.explained(request);
    assert.deepEqual([outcome, state?.cause], ['not assignable', cause]);
    assert.equal(JSON.parse((await kit.apply(request, change!)).text).assignable, true, JSON.stringify(change));
  }
});

test('the suggested change for an injected response removes the fault if the fault is still active', async () => {
  await kit.restart();
  const reset = { ...buildDemoRequest('getUser'), fault: { fault: 'connection-reset', operation: 'getUser' } } as const;
  const { outcome, state, change } = await kit.explained(reset);
  assert.deepEqual([outcome, state?.cause, change?.control?.[0]?.method], ['no answer', 'fault', 'DELETE']);
  const { traceId } = await kit.ask(buildDemoRequest('getUser'));
  assert.equal((await kit.apply(reset, change!)).status, 200);
  assert.deepEqual((await kit.explain(traceId)).change?.control, undefined);
});

test('an authorization server error is explained without the secrets in the request', async () => {
  const body = 'grant_type=authorization_code&code=canary-code&client_id=acme-web&client_secret=canary-secret';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { outcome, reason, change } = await kit.explained({ method: 'POST', path: '/auth/oauth/token', token: 'none', headers, body });
  assert.deepEqual([outcome, reason?.kind, change], ['refused', 'oauth', undefined]);
  const redirectUri = 'http://127.0.0.1:3000/callback';
  await kit.control('PATCH', '/state/clients/acme-web', { redirectUris: [redirectUri] });
  const query = new URLSearchParams({ response_type: 'token', client_id: getId('clients', 'acme-web'), redirect_uri: redirectUri });
  const redirected = await kit.explained({ path: `/auth/authorize?${query}`, token: 'none' });
  assert.deepEqual([redirected.status, redirected.reason?.id], [303, 'unsupported_response_type']);
  assert.deepEqual(redirected.request, [{ location: 'query', name: 'response_type', value: 'token' }]);
});

test('if a gate refuses a request before reading its headers, the explanation names that gate', async () => {
  const trace = `traceparent: 00-${'7'.repeat(32)}-00f067aa0ba902b7-01`;
  await sendRaw({ port: kit.kit.port, bytes: `GET /users HTTP/1.1\r\nHost: elsewhere.example\r\n${trace}\r\n\r\n` });
  const { reason, request, change } = await kit.explain('7'.repeat(32));
  assert.deepEqual([reason?.id, reason?.kind], ['http.unknown-host', 'gate']);
  assert.match(change?.text ?? '', /--allow-host/);
  assert.deepEqual(request, [{ location: 'header', name: 'host' }]);
});

test('a HEAD response is explained like a GET response, although it has no body', async () => {
  const { change, request } = await kit.explained({
    method: 'HEAD',
    path: `${ASSIGNMENTS_PATH}?pageSize=0&targetType=phone_number&targetValue=12065550100`,
  });
  assert.match(change?.text ?? '', /^Leave pageSize out\. Send targetType \w+\. Send targetValue \S+\.$/);
  assert.deepEqual(request.map(({ name }) => name).toSorted(), ['pageSize', 'targetType']);
  assert.equal((await kit.explained({ method: 'HEAD', path: `/users?accountId=${UNKNOWN_UUID}` })).outcome, 'empty list');
});

test('a request with a deeply nested body, or with secrets in its body, is explained', async () => {
  const body = `{"accountId":${'['.repeat(5_000)}${']'.repeat(5_000)},"experienceId":"${UNKNOWN_UUID}"}`;
  assert.equal((await kit.explained({ method: 'POST', path: CONNECTIONS_PATH, body })).status, 422);
  assert.ok(
    (await kit.explained(buildDemoRequest('createExperienceAssignment', { values: { code: 'canary', targetType: 'FAX' } }))).change?.request
      ?.body,
  );
});

test('explain accepts a trace id in capital letters or in a traceparent header, and lists all requests with this trace id', async () => {
  const trace = 'ab'.repeat(16);
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  for (const path of ['/users', '/users/nobody', '/users/{users/ada}']) await kit.ask({ path, headers: { traceparent } });
  const { outcome, summary, change, others } = await kit.explain(trace);
  assert.deepEqual([outcome, summary, change], ['succeeded', 'The request succeeded: there is nothing to explain.', undefined]);
  assert.deepEqual(
    others?.map(({ path, status }) => [path, status]),
    [
      ['/users/nobody', 404],
      ['/users', 400],
    ],
  );
  for (const written of [trace.toUpperCase(), traceparent, `Traceparent: ${traceparent}`, ` ${trace} `])
    assert.equal((await kit.explain(encodeURIComponent(written))).traceId, trace);
  const { status, body } = await kit.control<{ detail: string }>('GET', `/explain/${'c'.repeat(32)}`);
  assert.equal(status, 404);
  for (const reason of [/last 1000/, /reset/, /no requests to the control API/]) assert.match(body.detail, reason);
});
