import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { sendRaw } from '../http/testing/raw-client.ts';
import { type ExplainingKit, explainingKit } from './explain/testing/kit.ts';
import { idOf, NOBODY } from './explain/testing/world.ts';

// Wall time stands still, and with it the lag of the users list.
mock.timers.enable({ apis: ['Date'], now: Date.now() });

let kit: ExplainingKit;
before(async () => {
  kit = await explainingKit();
});
after(() => kit.kit.close());
beforeEach(() => kit.control('POST', '/clock/advance', { by: 1000 }));

test('the three causes of a users 404, which nobody can tell from the answer, are told apart', async () => {
  const ways = [`/users/${NOBODY}`, `/users/${idOf('users', 'hidden')}`, '/users/ext:0042@pbx.example'];
  const answers = await Promise.all(ways.map((path) => kit.ask({ path })));
  const alike = answers.map(({ text, traceId }, index) => text.replaceAll(traceId, '').replaceAll(ways[index]!, ''));
  assert.equal(new Set(alike).size, 1);
  const [missing, hidden, unsupported] = await Promise.all(answers.map(({ traceId }) => kit.explain(traceId)));
  assert.deepEqual(missing?.state?.facts, { what: 'user', value: NOBODY });
  assert.deepEqual(hidden?.state?.facts, {
    needed: 'read',
    of: 'user',
    id: idOf('users', 'hidden'),
    accountId: idOf('accounts', 'hidden'),
    principalLevel: 'none',
    effectiveLevel: 'none',
  });
  assert.equal(unsupported?.state?.cause, 'id style unsupported');
  assert.deepEqual(hidden?.change?.control, [
    { method: 'PATCH', path: '/_control/state/principals/manager', body: { accounts: { hidden: 'read' } } },
  ]);
  assert.equal(unsupported?.change?.request?.path, `/users/${idOf('users', 'ada')}`);
  assert.deepEqual(missing?.request, [{ in: 'path', name: 'userId', value: NOBODY }]);
});

const EMPTY: readonly (readonly [path: string, cause: string, facts: object])[] = [
  [`/users?accountId=${NOBODY}`, 'unknown', { what: 'account' }],
  [`/users?accountId=${idOf('accounts', 'hidden')}`, 'levels', { principalLevel: 'none' }],
  [`/users?accountId=${idOf('accounts', 'spare')}`, 'empty list', { total: 0 }],
  [`/experience-assignments?accountId=${NOBODY}`, 'unknown', { what: 'account' }],
  [`/experience-assignments?accountId=${idOf('accounts', 'hidden')}`, 'levels', { principalLevel: 'none' }],
  [`/experience-assignments?accountId=${idOf('accounts', 'spare')}`, 'empty list', { total: 0, matching: 0 }],
  [`/experience-assignments?accountId=${idOf('accounts', 'stage')}&targetType=ACCOUNT`, 'empty list', { total: 2, matching: 0 }],
  ['/experience-assignments?targetType=PHONE_NUMBER&targetValue=%2B12065559999', 'unknown', { what: 'telephone number' }],
  ['/experience-assignments?targetType=PHONE_NUMBER&targetValue=%2B12065550101', 'empty list', { total: 0 }],
  ['/experience-assignments?targetType=PHONE_NUMBER&targetValue=%2B12065550103', 'empty list', { matching: 1 }],
  [`/experience-connections?accountId=${NOBODY}`, 'unknown', { what: 'account' }],
  ['/experience-connections?telephoneNumber=%2B12065559999', 'unknown', { what: 'telephone number' }],
  ['/experience-connections?telephoneNumber=%2B12065550103', 'levels', { principalLevel: 'none' }],
  [`/experience-connections?accountId=${idOf('accounts', 'spare')}`, 'empty list', { total: 0 }],
  [
    `/experience-connections?accountId=${idOf('accounts', 'readable')}&experienceId=${idOf('experiences', 'general')}`,
    'empty list',
    { total: 1, matching: 0 },
  ],
  [
    `/experience-connections?accountId=${idOf('accounts', 'stage')}&experienceId=${idOf('experiences', 'hidden')}`,
    'empty list',
    { matching: 1 },
  ],
];

test('a list that is empty says why, and what would put something into it', async () => {
  for (const [path, cause, facts] of EMPTY) {
    const { traceId, status } = await kit.ask({ path });
    const { outcome, state, change, now } = await kit.explain(traceId);
    assert.deepEqual([status, outcome, state?.cause], [200, 'empty list', cause], path);
    assert.deepEqual({ ...state?.facts, ...facts }, state?.facts, path);
    assert.deepEqual([change?.tested, change?.succeeds, now?.same], [true, true, true], `${path} ${JSON.stringify(change)}`);
  }
});

test('a page after the end of a list says so', async () => {
  const { ask, control, explain } = kit;
  const page = `/users?accountId=${idOf('accounts', 'stage')}&pageSize=1`;
  const { cursor } = JSON.parse((await ask({ path: page })).text) as { cursor: string };
  const { body: dump } = await control<object>('GET', '/state');
  for (const alias of ['ada', 'grace']) await control('DELETE', `/state/users/${alias}`);
  await control('POST', '/clock/advance', { by: 1000 });
  const { state } = await explain((await ask({ path: `${page}&cursor=${cursor}` })).traceId);
  assert.deepEqual(state?.facts, { problem: 'at the end' });
  await control('PUT', '/state', dump);
});

test('users that the list does not show yet are told from none', async () => {
  const { body } = await kit.control<{ id: string }>('POST', '/state/users', { account: 'spare' });
  const { state, change } = await kit.explained({ path: `/users?accountId=${idOf('accounts', 'spare')}` });
  assert.deepEqual(state?.facts, { accountId: idOf('accounts', 'spare'), total: 1, lagMs: 250 });
  assert.deepEqual([change?.tested, change?.text.slice(0, 12)], [false, 'Wait 250 ms ']);
  await kit.control('DELETE', `/state/users/${body.id}`);
});

test('a target that is not assignable says why', async () => {
  const path = (search: string) =>
    `/experiences/${idOf('experiences', 'agent')}/assignability?targetType=PHONE_NUMBER&targetValue=%2B${search}`;
  const causes = ['12065559999', '12065550103', '12065550100'].map(async (number) => {
    const { outcome, state, change } = await kit.explained({ path: path(number) });
    assert.deepEqual([outcome, change?.succeeds], ['not assignable', true], JSON.stringify(change));
    return state?.cause;
  });
  assert.deepEqual(await Promise.all(causes), ['unknown', 'levels', 'already assigned']);
});

test('the state is that of the moment, and a request that would get another answer now says so', async () => {
  const path = `/users/${NOBODY}`;
  const { traceId } = await kit.ask({ path });
  await kit.control('PUT', path.replace('/users/', '/state/users/'), { account: 'stage' });
  const { state, now, change } = await kit.explain(traceId);
  assert.deepEqual(state?.facts, { what: 'user', value: NOBODY });
  assert.deepEqual([now?.status, now?.same, change?.succeeds, change?.control], [200, false, true, undefined]);
  await kit.control('DELETE', path.replace('/users/', '/state/users/'));
});

test('a connection that a fault ended is explained by the fault', async () => {
  await kit.control('POST', '/faults', { fault: 'connection-reset', operation: 'getUser' });
  const { outcome, state, change, now } = await kit.explained({ path: `/users/${idOf('users', 'ada')}` });
  assert.deepEqual([outcome, state?.cause, change?.succeeds, now?.same], ['no answer', 'fault', true, true]);
  assert.match(change?.control?.[0]?.path ?? '', /^\/_control\/faults\/fault-\d+$/);
  await kit.control('DELETE', '/faults');
});

test('a fault that is used up or was removed is not proposed for removal', async () => {
  const path = `/users/${idOf('users', 'ada')}`;
  await kit.control('POST', '/faults', { fault: 'problem', status: 503, operation: 'getUser', times: 1 });
  const usedUp = await kit.ask({ path });
  await kit.control('POST', '/faults', { fault: 'connection-reset', operation: 'getUser' });
  const removed = await kit.ask({ path });
  await kit.control('DELETE', '/faults');
  for (const { traceId } of [usedUp, removed]) {
    const { change, now } = await kit.explain(traceId);
    assert.deepEqual([change?.succeeds, change?.control], [true, undefined]);
    assert.match(change?.text ?? '', /^None is needed any more/);
    assert.match(now?.text ?? '', /: the fault fault-\d+ is used up or was removed\.$/);
  }
});

test('an expired token says until when it was good, and whose it was', async () => {
  const { body } = await kit.control<{ accessToken: string }>('POST', '/tokens', {
    client: 'acme-web',
    principal: 'manager',
    kind: 'expired',
  });
  const { state } = await kit.explained({ path: '/users', token: { text: body.accessToken } });
  const token = state?.facts.token as { clientId: string; expiresAt: string } | undefined;
  assert.equal(token?.clientId, idOf('clients', 'acme-web'));
  assert.ok(Date.parse(token?.expiresAt ?? '') <= kit.kit.clock.now());
});

test('an error of the authorization server is told without its secrets, and not tried', async () => {
  const form = 'grant_type=authorization_code&code=canary-code&client_id=acme-web&client_secret=canary-secret';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { outcome, reason, change } = await kit.explained({
    method: 'POST',
    path: '/auth/oauth/token',
    token: 'none',
    headers,
    body: form,
  });
  assert.deepEqual([outcome, reason?.kind, change?.tested], ['refused', 'oauth', false]);
  assert.ok(reason?.text);
});

test('a refusal before any header was read is explained by its gate', async () => {
  const trace = `traceparent: 00-${'7'.repeat(32)}-00f067aa0ba902b7-01`;
  const bytes = `GET /users/${idOf('users', 'ada')} HTTP/1.1\r\nHost: elsewhere.example\r\n${trace}\r\n\r\n`;
  await sendRaw({ port: kit.kit.port, bytes });
  const { reason, request, change } = await kit.explain('7'.repeat(32));
  assert.deepEqual([reason?.id, reason?.kind, change?.succeeds], ['http.unknown-host', 'gate', true]);
  assert.deepEqual(request, [{ in: 'header', name: 'host', value: '[not kept]' }]);
});

test('the answer to a HEAD, which names no rule, is explained by it all the same', async () => {
  const { reason, state } = await kit.explained({ method: 'HEAD', path: `/users/${NOBODY}` });
  assert.deepEqual([reason?.id, state?.cause], ['users.get.not-found', 'unknown']);
  const { outcome, now } = await kit.explained({ method: 'HEAD', path: `/users?accountId=${NOBODY}` });
  assert.deepEqual([outcome, now?.same], ['empty list', true]);
});

test('a success has nothing to explain, and a trace that the journal has not is not found', async () => {
  const { outcome, summary, change } = await kit.explained({ path: `/users/${idOf('users', 'ada')}` });
  assert.deepEqual([outcome, summary, change], ['succeeded', 'It succeeded: there is nothing to explain.', undefined]);
  const { status, body } = await kit.control<{ detail: string }>('GET', '/explain/nothing');
  assert.equal(status, 404);
  assert.match(body.detail, /no request with this trace id/);
});
