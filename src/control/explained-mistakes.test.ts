import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { type Ask, type ExplainingKit, explainingKit } from './explain/testing/kit.ts';
import { A, account, assign, C, experience, number, USERS } from './explain/testing/refusals.ts';
import { idOf } from './explain/testing/world.ts';

// Wall time stands still: no rate is met.
mock.timers.enable({ apis: ['Date'], now: Date.now() });

let kit: ExplainingKit;
let good: string;
before(async () => {
  kit = await explainingKit();
  good = (await kit.kit.tokens()).full as string;
});
after(() => kit.kit.close());
beforeEach(() => kit.control('POST', '/clock/advance', { by: 1000 }));

const FORM = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
const connect = (body: unknown, rest: Partial<Ask> = {}): Ask => ({ method: 'POST', path: C, body, ...rest });

test('an Authorization header that holds no bearer token is to be sent as one, and nothing is said to have changed since', async () => {
  for (const authorization of ['Basic Zm9vOmJhcg==', `Token ${good}`, 'Bearer', good]) {
    const { status, detail, state, change, now } = await kit.explained({ path: USERS, token: 'none', headers: { authorization } });
    assert.deepEqual([status, state?.facts.problem, now], [401, 'not bearer', undefined], authorization);
    assert.match(change?.text ?? '', /^Send it as "Authorization: Bearer <token>"/);
    assert.deepEqual([change?.tested, change?.succeeds, change?.status, change?.request?.token?.principal], [true, true, 200, 'manager']);
    assert.match(detail ?? '', /^The Authorization header /);
  }
});

test('a request without an Authorization header is refused again', async () => {
  const { state, change, now } = await kit.explained({ path: USERS, token: 'none' });
  assert.deepEqual([state?.facts.problem, change?.succeeds, now?.same], ['missing', true, true]);
});

test('each bad token is explained by what is wrong with it', async () => {
  const words = { 'wrong-signature': /signature/, 'alg-none': /\(alg\)/, 'wrong-issuer': /\(iss\)/, 'wrong-audience': /\(aud\)/ };
  for (const [kind, word] of Object.entries(words)) {
    const asked = { client: 'acme-web', principal: 'manager', kind };
    const { body } = await kit.control<{ accessToken: string }>('POST', '/tokens', asked);
    const { detail, summary } = await kit.explained({ path: USERS, token: { text: body.accessToken } });
    assert.match(detail ?? '', word);
    assert.match(summary, word);
  }
  assert.match((await kit.explained({ path: USERS, token: { text: 'garbage' } })).detail ?? '', /three parts/);
});

test('JSON that was sent as a form needs one header, and keeps its body', async () => {
  for (const request of [
    assign(number('+12065550101'), FORM),
    connect({ accountId: account('spare'), experienceId: experience('general') }, FORM),
    connect(
      { accountId: account('spare'), experienceId: experience('general') },
      { headers: { 'content-type': 'application/json; charset=latin1' } },
    ),
  ]) {
    const { detail, request: parts, change, now } = await kit.explained(request);
    const value = request.headers?.['content-type'];
    assert.ok(detail);
    if (request.headers === FORM.headers) assert.match(detail, /content type application\/json/);
    assert.deepEqual(parts, [{ in: 'header', name: 'content-type', value }]);
    assert.deepEqual(change?.request, { headers: { 'content-type': 'application/json' } });
    assert.deepEqual([change?.succeeds, change?.status, now?.same], [true, 201, true]);
    assert.doesNotMatch(change?.text ?? '', /redacted/);
  }
});

test('where a secret in the body is not kept, that is said', async () => {
  const kept = await kit.explained(assign({ ...number('+12065550101'), code: 'canary' }, FORM));
  assert.equal(kept.change?.succeeds, true);
  assert.match(kept.change?.text ?? '', /Tried with \[redacted\] for the secrets in its body/);
  const lost = await kit.explained(assign('{"code":"canary",}', FORM));
  assert.equal(lost.change?.tested, false);
  assert.match(lost.change?.text ?? '', /^Send the header Content-Type: application\/json\. That was not tried\. .*not kept\.$/);
});

test('what the authorization server refuses by a redirect is refused', async () => {
  const redirectUri = 'http://127.0.0.1:3000/callback';
  await kit.control('PATCH', '/state/clients/acme-web', { redirectUris: [redirectUri] });
  const query = new URLSearchParams({ response_type: 'token', client_id: idOf('clients', 'acme-web'), redirect_uri: redirectUri });
  const { outcome, status, summary, detail, reason, request } = await kit.explained({ path: `/auth/authorize?${query}`, token: 'none' });
  assert.deepEqual([outcome, status, reason?.id, reason?.kind], ['refused', 303, 'unsupported_response_type', 'oauth']);
  assert.match(detail ?? '', /response_type/);
  assert.match(summary, /^It was refused: the redirect \(303\) takes the error unsupported_response_type to the client\. .*response_type/);
  assert.deepEqual(request, [{ in: 'query', name: 'response_type', value: 'token' }]);
});

test('an id that is none is replaced by one that works, also where everything in reach is connected already', async () => {
  const wrong = connect({ accountId: account('stage'), experienceId: 'x' });
  const right = { accountId: account('stage'), experienceId: experience('general') };
  const free = (await kit.explained(wrong)).change;
  assert.deepEqual([free?.status, free?.control, free?.request?.body], [201, undefined, right]);
  const { body } = await kit.control<{ id: string }>('POST', '/state/connections', { account: 'stage', experience: 'general' });
  const none = (await kit.explained(wrong)).change;
  assert.deepEqual([none?.succeeds, none?.status, none?.control?.length], [true, 201, 1], JSON.stringify(none));
  assert.match(JSON.stringify(none?.request?.body), /"experienceId":"[\w-]{36}"/);
  await kit.control('DELETE', `/state/connections/${body.id}`);
});

test('a connection that both sides keep out of sight takes a grant on each', async () => {
  const { change } = await kit.explained(connect({ accountId: account('hidden'), experienceId: experience('hidden') }));
  assert.deepEqual([change?.succeeds, change?.status], [true, 201]);
  assert.deepEqual(change?.control, [
    { method: 'PATCH', path: '/_control/state/experiences/hidden', body: { levels: { acme: 'manage' } } },
    { method: 'PATCH', path: '/_control/state/principals/manager', body: { accounts: { hidden: 'manage' } } },
  ]);
});

test('the name of something, or another id of it, leads to its id', async () => {
  const ada = { ...number(idOf('users', 'ada')), targetType: 'USER' };
  for (const targetValue of ['ext:0042@pbx.example', 'ada']) {
    const { change } = await kit.explained(assign({ ...ada, targetValue }));
    assert.deepEqual([change?.status, change?.request?.body], [201, ada]);
  }
  const { change } = await kit.explained({ path: `${A}?accountId=stage` });
  assert.equal(change?.request?.path, `${A}?accountId=${account('stage')}`);
});

test('a number and a type that are written otherwise are meant as they are', async () => {
  const meant = number('+12065550101');
  for (const targetValue of [' +1 206 555 0101', '1 (206) 555-0101']) {
    const { change } = await kit.explained(assign({ ...meant, targetType: 'phone_number', targetValue }));
    assert.deepEqual([change?.status, change?.request], [201, { body: meant }]);
  }
});

test('a name that was mistyped is put right, and keeps its value', async () => {
  const id = account('stage');
  for (const [path, wanted] of [
    [`/users?acountId=${id}`, `/users?accountId=${id}`],
    [`${A}?acountId=${id}&pageSize=5`, `${A}?accountId=${id}&pageSize=5`],
    [`${C}?account_id=${id}`, `${C}?accountId=${id}`],
  ] as const) {
    const { change } = await kit.explained({ path });
    assert.deepEqual([change?.succeeds, change?.request], [true, { path: wanted }]);
  }
  const body = { accountId: account('spare'), experienceId: experience('general') };
  const { change } = await kit.explained(connect({ acountId: body.accountId, experienceId: body.experienceId }));
  assert.deepEqual([change?.text, change?.request], ['Rename acountId to accountId.', { body }]);
});

test('what stands in the way now is what is changed, not what stood there then', async () => {
  const { body: dump } = await kit.control<object>('GET', '/state');
  const { traceId } = await kit.ask({ path: `/users/${idOf('users', 'hidden')}` });
  await kit.control('PATCH', '/state/principals/manager', { accounts: { hidden: 'read' } });
  await kit.control('DELETE', '/state/users/hidden');
  const { state, change, now } = await kit.explain(traceId);
  assert.deepEqual([state?.cause, now?.same, change?.succeeds, change?.control], ['levels', true, true, undefined]);
  assert.match(now?.text ?? '', /for another reason: There was no user/);
  assert.match(change?.request?.path ?? '', /^\/users\//);
  await kit.control('PUT', '/state', dump);
});

test('a trace id may be written otherwise, and older requests of the trace are told of', async () => {
  const trace = 'ab'.repeat(16);
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const paths = ['/users', `${A}?accountId=x`, '/users/nobody'];
  for (const path of paths) await kit.ask({ path, headers: { traceparent } });
  const explained = await kit.explain(trace);
  assert.equal(explained.path, paths[2]);
  assert.deepEqual(
    explained.others?.map(({ method, path, status }) => [method, path, status]),
    [
      ['GET', paths[1], 400],
      ['GET', paths[0], 400],
    ],
  );
  const [newer, older] = explained.others ?? [];
  assert.equal((newer?.number ?? 0) - (older?.number ?? 0), 1);
  for (const written of [trace.toUpperCase(), traceparent, `Traceparent: ${traceparent}`, ` ${trace} `])
    assert.equal((await kit.explain(encodeURIComponent(written))).traceId, trace);
  assert.equal((await kit.explained({ path: '/users' })).others, undefined);
});

test('of a trace id that is not there all reasons are told', async () => {
  const { status, body } = await kit.control<{ detail: string }>('GET', `/explain/${'c'.repeat(32)}`);
  assert.equal(status, 404);
  for (const reason of [/last 1000/, /reset/, /none of the control API/]) assert.match(body.detail, reason);
});
