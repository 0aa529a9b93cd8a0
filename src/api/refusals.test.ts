import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASSIGNMENTS, type Call, CONNECTIONS, expectProblem, onSqlite } from './testing/api-kit.ts';
import { experience, idOf, number, type Target, UNKNOWN_ID, user } from './testing/world.ts';

const STAGE = idOf('accounts', 'stage');
const NUMBER = '+442079460105';
const ASSIGNABILITY = `/experiences/${experience('agent')}/assignability`;
const USER_TARGET = `targetType=USER&targetValue=${UNKNOWN_ID}`;
const assignment = (alias: string) => `${ASSIGNMENTS}/${idOf('assignments', alias)}`;
const connection = (alias: string) => `${CONNECTIONS}/${idOf('connections', alias)}`;
const assign = (alias: Parameters<typeof experience>[0], target: Target): Call => ({
  body: { experienceId: experience(alias), ...target },
});
const newConnection = (members: object): Call => ({ body: { accountId: STAGE, experienceId: experience('general'), ...members } });
const ACTIVE: Call = { body: { state: 'ACTIVE' } };

/** Status, and the rule or decision that the problem's `type` names, by request. The conformance suite looks at the status only. */
const REFUSALS: readonly (readonly [status: number, id: string, request: string, call?: Call])[] = [
  [401, 'auth.token.missing', 'GET /users', { token: 'none' }],
  [401, 'auth.token.missing', 'GET /users', { token: 'none', headers: { authorization: 'Basic YTpi' } }],
  [401, 'auth.token.missing', 'GET /users?access_token=x', { token: 'none', headers: { cookie: 'access_token=x' } }],
  [401, 'auth.token.invalid', 'GET /users', { token: 'none', headers: { authorization: 'Bearer x' } }],
  [401, 'auth.claim.principal', `GET /users/${UNKNOWN_ID}`, { token: 'no-principal' }],
  [403, 'auth.missing-scope', `GET ${ASSIGNMENTS}`, { token: 'no-scopes' }],
  [403, 'users.list.scope', 'GET /users', { token: 'no-scopes' }],
  [403, 'users.get.scope', `GET /users/${UNKNOWN_ID}`, { token: 'no-scopes' }],

  [400, 'assignability.target-missing', `GET ${ASSIGNABILITY}?targetType=USER`],
  [400, 'assignability.target-type-not-allowed', `GET ${ASSIGNABILITY}?targetType=FAX&targetValue=1`],
  [400, 'assignability.target-value-format', `GET ${ASSIGNABILITY}?targetType=USER&targetValue=ada`],
  [403, 'assignability.read-only', `GET ${ASSIGNABILITY.replace(experience('agent'), experience('readable'))}?${USER_TARGET}`],
  [404, 'assignability.not-found', `GET ${ASSIGNABILITY.replace(experience('agent'), experience('hidden'))}?${USER_TARGET}`],

  [400, 'assignments.list.filter-required', `GET ${ASSIGNMENTS}?pageSize=5`],
  [400, 'assignments.list.value-needs-type', `GET ${ASSIGNMENTS}?targetValue=${UNKNOWN_ID}`],
  [400, 'assignments.list.account-id-uuid', `GET ${ASSIGNMENTS}?accountId=urn:uuid:${STAGE}`],
  [400, 'assignments.list.experience-needs-account', `GET ${ASSIGNMENTS}?experienceId=${UNKNOWN_ID}`],
  [400, 'assignments.list.experience-id-uuid', `GET ${ASSIGNMENTS}?accountId=${STAGE}&experienceId=x`],
  [400, 'assignments.list.target-value-format', `GET ${ASSIGNMENTS}?targetType=USER&targetValue=ada`],
  [400, 'assignments.list.target-type-not-allowed', `GET ${ASSIGNMENTS}?accountId=${STAGE}&targetType=FAX`],
  [400, 'assignments.list.type-alone', `GET ${ASSIGNMENTS}?targetType=USER`],
  [400, 'assignments.list.page-size-integer', `GET ${ASSIGNMENTS}?accountId=${STAGE}&pageSize=1e1`],
  [400, 'assignments.list.page-size-out-of-range', `GET ${ASSIGNMENTS}?accountId=${STAGE}&pageSize=99999999999999999999`],
  [400, 'lists.cursor.invalid', `GET ${ASSIGNMENTS}?accountId=${STAGE}&cursor=%00`],
  [422, 'assignments.create.malformed-body', `POST ${ASSIGNMENTS}`, { body: '[]' }],
  [422, 'assignments.create.required-field', `POST ${ASSIGNMENTS}`, { body: {} }],
  [422, 'assignments.create.invalid-value', `POST ${ASSIGNMENTS}`, { body: { experienceId: 7, ...number(NUMBER) } }],
  [422, 'assignments.create.target-value-format', `POST ${ASSIGNMENTS}`, assign('general', number('+0206555'))],
  [422, 'assignments.create.unknown-user', `POST ${ASSIGNMENTS}`, assign('general', user(UNKNOWN_ID))],
  [422, 'assignments.create.unknown-user', `POST ${ASSIGNMENTS}`, assign('general', user(idOf('users', 'hidden')))],
  [422, 'assignments.create.unknown-target', `POST ${ASSIGNMENTS}`, assign('general', number('+442079460103'))],
  [422, 'assignments.create.read-only-target', `POST ${ASSIGNMENTS}`, assign('general', number('+442079460101'))],
  [422, 'assignments.create.unknown-experience', `POST ${ASSIGNMENTS}`, assign('hidden', number(NUMBER))],
  [422, 'assignments.create.read-only-experience', `POST ${ASSIGNMENTS}`, assign('readable', number(NUMBER))],
  [422, 'assignments.create.agent-number-taken', `POST ${ASSIGNMENTS}`, assign('other-agent', number(NUMBER))],
  [409, 'assignments.create.duplicate', `POST ${ASSIGNMENTS}`, assign('agent', number(NUMBER))],
  [404, 'assignments.get.not-found', `GET ${assignment('hidden')}`],
  [404, 'assignments.delete.not-found', `DELETE ${assignment('hidden')}`],
  [403, 'assignments.delete.read-only', `DELETE ${assignment('read-only')}`],

  [400, 'connections.list.account-id-uuid', `GET ${CONNECTIONS}?accountId=x`],
  [400, 'lists.cursor.invalid', `GET ${CONNECTIONS}?accountId=${STAGE}&cursor=x`],
  [400, 'connections.create.malformed', `POST ${CONNECTIONS}`, { body: '{' }],
  [400, 'connections.malformed-body', `POST ${CONNECTIONS}`, { body: '[]' }],
  [422, 'connections.create.required-field', `POST ${CONNECTIONS}`, { body: {} }],
  [422, 'connections.create.invalid-value', `POST ${CONNECTIONS}`, newConnection({ state: 'active' })],
  [
    422,
    'connections.create.unknown-account-or-experience',
    `POST ${CONNECTIONS}`,
    newConnection({ accountId: idOf('accounts', 'hidden') }),
  ],
  [422, 'connections.create.unknown-account-or-experience', `POST ${CONNECTIONS}`, newConnection({ experienceId: experience('hidden') })],
  [403, 'connections.create.read-only', `POST ${CONNECTIONS}`, newConnection({ accountId: idOf('accounts', 'readable') })],
  [409, 'connections.create.exists', `POST ${CONNECTIONS}`, newConnection({ experienceId: experience('agent') })],
  [404, 'connections.get.not-found', `GET ${connection('hidden')}`],
  [404, 'connections.update.not-found', `PUT ${connection('hidden')}`, ACTIVE],
  [403, 'connections.update.read-only', `PUT ${connection('read-only')}`, ACTIVE],
  [409, 'connections.update.same-state', `PUT ${connection('blocked')}`, ACTIVE],
  [404, 'connections.delete.not-found', `DELETE ${connection('hidden')}`],
  [403, 'connections.delete.read-only', `DELETE ${connection('read-only')}`],
  [409, 'connections.delete.numbers-assigned', `DELETE ${connection('blocked')}`],

  [400, 'users.list.account-id-required', 'GET /users?pageSize=5'],
  [400, 'users.list.account-id-uuid', 'GET /users?accountId=x'],
  [400, 'users.list.sort-by-allowed', `GET /users?accountId=${STAGE}&sortBy=constructor`],
  [400, 'users.list.sort-order-allowed', `GET /users?accountId=${STAGE}&sortOrder=ASC`],
  [400, 'users.list.page-size-range', `GET /users?accountId=${STAGE}&pageSize=201`],
  [400, 'users.list.cursor-malformed', `GET /users?accountId=${STAGE}&cursor=x`],
  [404, 'users.get.not-found', `GET /users/${idOf('users', 'hidden')}`],
  [404, 'users.get.not-found', 'GET /users/ext:0042@pbx.example'],
];

onSqlite('refusals', (api) => {
  for (const [status, id, request, call] of REFUSALS) {
    test(`${status} ${id}: ${request.replace(/\?.*/, '')}`, async () => {
      const [method, path] = request.split(' ') as [string, string];
      const { instance, traceId, detail } = await expectProblem(api.send(method, path, call), status, id);
      assert.deepEqual([instance, typeof traceId, typeof detail], [path.replace(/\?.*/, ''), 'string', 'string']);
    });
  }

  test('A cursor of the users list names what it does not fit', async () => {
    const crowd = idOf('accounts', 'crowd');
    const { cursor } = (await api.send('GET', `/users?accountId=${crowd}&sortBy=firstName&pageSize=1`)).body;
    for (const [query, id] of [
      [`accountId=${STAGE}&sortBy=firstName`, 'users.list.cursor-other-account'],
      [`accountId=${crowd}&sortBy=lastName`, 'users.list.cursor-other-sort-by'],
      [`accountId=${crowd}&sortBy=firstName&sortOrder=desc`, 'users.list.cursor-other-sort-order'],
    ] as const)
      await expectProblem(api.send('GET', `/users?${query}&cursor=${cursor}`), 400, id);
    await expectProblem(api.send('GET', `${ASSIGNMENTS}?accountId=${crowd}&cursor=${cursor}`), 400, 'lists.cursor.invalid');
  });

  test('Of several faults, the first of token, scope, body, existence, permission and state decides', async () => {
    const update = (id: string, call: Call) => api.send('PUT', `${CONNECTIONS}/${id}`, call);
    const readOnly = idOf('connections', 'read-only');
    await expectProblem(update(UNKNOWN_ID, { body: '{', token: 'none' }), 401, 'auth.token.missing');
    await expectProblem(update(UNKNOWN_ID, { body: '{', token: 'no-scopes' }), 403, 'auth.missing-scope');
    await expectProblem(update(UNKNOWN_ID, { body: '{' }), 400, 'connections.update.malformed');
    await expectProblem(update(UNKNOWN_ID, { body: { state: 'PENDING' } }), 422, 'connections.update.invalid-value');
    await expectProblem(update(UNKNOWN_ID, ACTIVE), 404, 'connections.update.not-found');
    await expectProblem(update(readOnly, ACTIVE), 403, 'connections.update.read-only');
  });

  test('A problem lists every invalid member or parameter', async () => {
    const body = await expectProblem(
      api.send('POST', CONNECTIONS, { body: { accountId: 1, experienceId: 'x', state: 'y' } }),
      422,
      'connections.create.invalid-value',
    );
    assert.deepEqual(body.errors?.map(({ pointer }) => pointer).toSorted(), ['/accountId', '/experienceId', '/state']);
    const query = await expectProblem(api.send('GET', '/users?pageSize=0&sortBy=x'), 400, 'users.list.account-id-required');
    assert.deepEqual(query.errors?.map(({ pointer }) => pointer).toSorted(), ['?accountId', '?pageSize', '?sortBy']);
  });

  test('Requests refused for a missing scope do not count against the rate limit, and a limit is of a client', async () => {
    const check = (call: Call = {}) => api.send('GET', `${ASSIGNABILITY}?${USER_TARGET}`, call);
    for (let n = 0; n < 110; n++) assert.equal((await check({ token: 'no-scopes' })).status, 403);
    let limited: Awaited<ReturnType<typeof check>> | undefined;
    for (let n = 0; n < 400 && limited?.status !== 429; n++) limited = await check();
    assert.deepEqual([limited?.status, limited?.headers.get('retry-after')], [429, '1']);
    assert.equal((await check({ token: 'batch' })).status, 200);
  });
});
