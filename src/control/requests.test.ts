import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { after, beforeEach, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { sendRaw } from '../http/testing/raw-client.ts';
import { createKit } from '../kit.ts';
import { createFlow, MANAGER_NUMBER } from '../testing/oauth-flow.ts';
import { callControl } from './testing/call.ts';

type Entry = components['schemas']['JournalEntry'];
type Problem = { readonly detail: string };

const kit = await createKit({ port: 0, login: 'auto' });
const { full: token = '' } = await kit.tokens();
after(() => kit.close());
beforeEach(() => control('DELETE', '/requests'));

const control = <Body = Entry[]>(method: string, path: string, body?: object) => callControl<Body>(kit.url, method, path, body);

async function readEntries(query = '', { url } = kit): Promise<Entry[]> {
  const { status, body } = await callControl<Entry[]>(url, 'GET', `/requests${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(getValidator(schemaReferences.responses.listRequests[200])(body), []);
  return body;
}

async function sendRequest(method: string, path: string, { body, ...headers }: Record<string, string> = {}): Promise<string> {
  const response = await fetch(kit.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body && { body }),
  });
  await response.text();
  return response.headers.get('content-type') ?? '';
}

const createJsonRequest = (body: unknown) => ({ 'content-type': 'application/json', body: JSON.stringify(body) });

test('a journal entry has the request, the response and the last pipeline step', async () => {
  await sendRequest('GET', '/users/2065550001?a=b');
  const [entry] = await readEntries();
  const { door, method, path, operationId, status, step, response } = entry as Entry;
  assert.deepEqual(
    { door, method, path, operationId, status, step },
    { door: 'service', method: 'GET', path: '/users/2065550001?a=b', operationId: 'getUser', status: 200, step: 'done' },
  );
  assert.equal(entry?.request?.headers.authorization, 'Bearer [redacted]');
  assert.equal((response?.body as { firstName?: string } | undefined)?.firstName, 'Ada');
});

test("a refusal's journal entry has the problem document, and is found by trace id", async () => {
  await sendRequest('POST', '/experience/assignments', createJsonRequest({ targetType: 'NOBODY' }));
  const [listed] = await readEntries();
  const { status, body } = await control<Entry>('GET', `/requests/${listed?.traceId}`);
  assert.deepEqual([status, body], [200, listed]);
  assert.deepEqual([body.status, body.step, body.operationId], [422, 'body', 'createExperienceAssignment']);
  assert.deepEqual(body.request?.body, { targetType: 'NOBODY' });
  assert.match(body.problem?.type ?? '', /^\/problems\/assignments\.create\./);
  assert.equal(body.problem?.detail, (body.response?.body as Problem | undefined)?.detail);
});

test('a journal entry has the client of a valid token, whatever answered the request', async () => {
  const { body: faults } = await control<{ id: string }>('POST', '/faults', {
    fault: 'problem',
    status: 429,
    operation: 'getUser',
    undocumented: true,
  });
  await control('POST', '/faults', { fault: 'connection-reset', operation: 'getUsers', times: 1 });
  await sendRequest('GET', '/users/2065550001');
  await sendRequest('GET', '/users?telephoneNumber=%2B12065550100').catch(() => {});
  await sendRequest('GET', '/no/such/path');
  await sendRequest('PATCH', '/users');
  await sendRequest('GET', '/users/2065550001', { prefer: 'code=503' });
  await control('DELETE', `/faults/${faults.id}`);
  const entries = await readEntries();
  assert.deepEqual(
    entries.map(({ status }) => status),
    [503, 405, 404, undefined, 429],
  );
  const { id } = await kit.state.get('clients', 'acme-web');
  for (const { credential, path } of entries) assert.deepEqual([credential?.clientId, credential?.scopes?.length], [id, 4], path);
});

test('the text and credential filters also find names', async () => {
  const { id } = await kit.state.get('users', 'ada');
  await sendRequest('GET', `/users/${id}`);
  await sendRequest('GET', '/users/none');
  const { id: principal } = await kit.state.get('principals', 'manager');
  const { name } = await kit.state.get('principals', 'manager');
  assert.deepEqual(
    (await readEntries('?text=LOVELACE')).map(({ path }) => path),
    [`/users/${id}`],
  );
  const byName = await readEntries(`?credential=${encodeURIComponent(name)}`);
  assert.deepEqual(
    byName.map(({ credential }) => credential?.principalId),
    [principal, principal],
  );
  assert.equal((await readEntries(`?text=${encodeURIComponent(name)}`)).length, 2);
  assert.deepEqual(await readEntries('?text=no%20such%20name%00'), []);
});

test('journal entries can be filtered by credential and rule, listed in pages, and listed without headers and bodies', async () => {
  await sendRequest('GET', '/users/2065550001');
  await sendRequest('GET', '/users/2065550009');
  await sendRequest('GET', '/users/2065550001', { authorization: `Bearer ${(await kit.tokens()).outsider}` });
  const [outsider, unknown, known] = await readEntries();
  const listNumbers = async (query: string) => (await readEntries(query)).map(({ number }) => number);
  const all = [outsider, unknown, known].map((entry) => entry?.number);
  assert.equal(unknown?.problem?.type, '/problems/users.get.not-found');
  for (const credential of ['manager', unknown?.credential?.principalId, unknown?.credential?.fingerprint])
    assert.deepEqual(await listNumbers(`?credential=${credential}`), all.slice(1), credential);
  assert.deepEqual(await listNumbers('?credential=nobody'), []);
  assert.ok((await listNumbers('?rule=users.get.not-found')).includes(unknown?.number as number));
  assert.deepEqual(await listNumbers('?rule=users.list.page'), []);
  assert.deepEqual(await listNumbers(`?limit=1&before=${all[0]}`), [all[1]]);
  const { request, response, ...summary } = known as Entry;
  assert.ok(request && response);
  const summaries = await readEntries('?view=summary');
  assert.deepEqual([summaries[1]?.problem, summaries[2]], [unknown?.problem, summary]);
});

const DEEP_JSON = '['.repeat(5_000) + ']'.repeat(5_000);
const LONG_BODY = JSON.stringify({ comment: 'x'.repeat(40_000) });
const REQUEST_BODIES: readonly [what: string, sent: string, kept: unknown][] = [
  ['an object', '{"targetType":"NOBODY"}', { body: { targetType: 'NOBODY' }, bodyBytes: 23 }],
  ['invalid JSON', '{"a": ', { body: '{"a": ', bodyBytes: 6 }],
  ['JSON that is nested too deeply for JSON.stringify', DEEP_JSON, { body: DEEP_JSON, bodyBytes: 10_000 }],
  ['more than 16 KiB', LONG_BODY, { body: LONG_BODY.slice(0, 16_384), bodyBytes: 40_014, truncated: true }],
];
for (const [what, body, kept] of REQUEST_BODIES) {
  test(`the journal stores a request's body even without a valid token: ${what}`, async () => {
    for (const authorization of [`Bearer ${token}`, 'none']) {
      await sendRequest('POST', '/experience/assignments', { authorization, 'content-type': 'application/json', body });
      const { headers: _, ...request } = (await readEntries())[0]?.request ?? { headers: {} };
      assert.deepEqual(request, kept);
    }
  });
}

test('if the server refuses a request before reading the path, the journal entry has the problem document', async () => {
  const bytes = 'GET /users/1?code=canary HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n';
  await sendRaw({ port: kit.port, bytes });
  const [entry] = await readEntries();
  assert.equal(entry?.path, '/users/1?code=[redacted]');
  assert.match(entry?.problem?.type ?? '', /^\/problems\/http\./);
  assert.ok((entry?.status ?? 0) >= 400);
});

test('a reset empties the journal, and the numbering of entries continues', async () => {
  await sendRequest('GET', '/users/1');
  const [before] = await readEntries();
  await control('POST', '/reset', { to: 'seed' });
  assert.deepEqual(await readEntries(), []);
  await sendRequest('GET', '/users/2');
  assert.equal((await readEntries())[0]?.number, (before?.number ?? 0) + 1);
});

test('requests to the control API and CORS preflights are not in the journal', async () => {
  await control('GET', '/info');
  await sendRequest('OPTIONS', '/users/1', { origin: 'http://a.example', 'access-control-request-method': 'GET' });
  assert.deepEqual(await readEntries(), []);
});

test('the journal contains no secrets, even from logins, token requests and requests with secrets in unusual places', async () => {
  const acme = createFlow(kit.authUrl);
  const code = await acme.obtainAuthorizationCode();
  const { body: first } = await acme.exchange(code);
  const { body: second } = await acme.refresh(first.refresh_token);
  await acme.exchange('canary-code', { client_secret: 'canary-secret' });
  await acme.postTokenRequest('client_secret=canary-secret', { 'content-type': 'text/plain' });
  await acme.postTokenRequest(JSON.stringify({ client_assertion: 'canary-assertion' }), { 'content-type': 'application/json' });
  await sendRequest('GET', '/users/1?access_token=canary-query', { cookie: 'canary-cookie', 'x-control-token': 'canary-control' });
  await sendRequest('POST', '/experience/assignments', createJsonRequest({ client_secret: 'canary-body' }));
  const kept = await readEntries();
  assert.equal(kept.filter(({ operationId }) => operationId === 'authorize').length, 1);
  assert.deepEqual(
    kept.filter(({ operationId }) => operationId === 'token').map(({ status }) => status),
    [400, 400, 401, 200, 200],
  );
  const text = JSON.stringify(kept);
  const secrets = {
    code,
    token,
    ...first,
    ...second,
    verifier: acme.verifier,
    secret: 'demo-secret-acme-web',
    hint: MANAGER_NUMBER.slice(1),
    canary: 'canary',
  };
  const { token_type: _, scope: __, expires_in: ___, ...hidden } = secrets as Record<string, unknown>;
  assert.deepEqual(
    Object.keys(hidden).filter((name) => text.includes(String(hidden[name]))),
    [],
  );
  const refused = kept.find(({ status, operationId }) => status === 401 && operationId === 'token');
  assert.equal(refused?.problem?.title, 'invalid_client');
});

test('a journal query and a wait for a request return only requests that match the filters', async () => {
  for (const path of ['/users/2065550001', '/users/1']) await sendRequest('GET', path);
  assert.deepEqual(
    (await readEntries('?operation=getUser&method=get&path=/users/*&status=200&limit=5')).map(({ path }) => path),
    ['/users/2065550001'],
  );
  const { body } = await control<Entry>('POST', '/requests/wait', { operation: 'getUser', status: '4xx' });
  assert.equal(body.path, '/users/1');
});

test('closing a kit ends all waits for requests', async () => {
  const other = await createKit({ port: 0 });
  const begun = new Promise((resolve) => subscribe('http.server.request.start', resolve));
  const waiting = callControl(other.url, 'POST', '/requests/wait', { timeoutMs: 60_000 });
  await begun;
  await other.close();
  assert.equal((await waiting).status, 404);
});

test('if a request fails unexpectedly, its entry names the step that failed, even if a request with the same traceparent got no response', async () => {
  await using broken = await createKit({ port: 0, logLevel: 'silent' });
  const { full } = await broken.tokens();
  await broken.store.db.schema.dropTable('user_list').execute();
  const [account] = await broken.store.db.selectFrom('accounts').select('id').execute();
  const headers = { authorization: `Bearer ${full}`, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  await broken.fault({ fault: 'connection-reset', operation: 'getUser' });
  await assert.rejects(fetch(`${broken.url}/users/1`, { headers }));
  await fetch(`${broken.url}/users?accountId=${account?.id}`, { headers });
  const [failed, reset] = await readEntries('', broken);
  assert.deepEqual([failed?.status, failed?.step, failed?.problem?.title], [500, 'handle', 'Unexpected error']);
  assert.deepEqual([reset?.operationId, reset?.status, reset?.step, reset?.response], ['getUser', undefined, undefined, undefined]);
});

test('requests can be filtered by a text in their path, trace id, headers and bodies, in any letter case', async () => {
  await sendRequest('POST', '/experience/connections', createJsonRequest({ accountId: 'Needle' }));
  await sendRequest('GET', '/users/other', { 'x-note': 'hay' });
  const find = async (text: string) => (await readEntries(`?text=${encodeURIComponent(text)}`)).map(({ path }) => path);
  const [other] = await readEntries('?limit=1');
  for (const text of ['x-note: HAY', 'get /users/o', 'There is no such user', other!.traceId])
    assert.deepEqual(await find(text), ['/users/other'], text);
  assert.deepEqual(await find('needle'), ['/experience/connections']);
  assert.deepEqual(await find('neither'), []);
});
