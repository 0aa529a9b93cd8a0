import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASSIGNMENTS, type Call, CONNECTIONS, expectProblem, onSqlite } from '../testing/api-kit.ts';
import { createNumberTarget, createUserTarget, getExperienceId, getId, UNKNOWN_ID } from './testing/world.ts';

const ASSIGNABILITY = `/experiences/${getExperienceId('agent')}/assignability`;
const USER_TARGET = `targetType=USER&targetValue=${UNKNOWN_ID}`;
const ACTIVE_STATE: Call = { body: { state: 'ACTIVE' } };

// Behaviour that the table in control/explain/testing/refusals.ts cannot express.
onSqlite('refusals', (api) => {
  test('A cursor is refused if the request is for a different list or has different filters', async () => {
    const { accountId, numbers, users } = api.getUnusedAccount();
    for (const target of [createNumberTarget(numbers[0]), createNumberTarget(numbers[1]), createUserTarget(users[0])])
      await api.assign('general', target);
    for (const alias of ['general', 'agent'] as const) await api.connect(alias, accountId);
    const readCursor = async (path: string) => (await api.send('GET', `${path}&pageSize=1`)).body.cursor;
    const list = `${ASSIGNMENTS}?accountId=${accountId}`;
    const numbersList = `${list}&targetType=PHONE_NUMBER`;
    const connections = `${CONNECTIONS}?accountId=${accountId}`;
    const ofGeneral = `experienceId=${getExperienceId('general')}`;
    const cursor = await readCursor(list);
    for (const [issuedFor, path] of [
      [list, `${list}&targetType=USER`],
      [list, `${list}&${ofGeneral}`],
      [list, connections],
      [numbersList, `${numbersList}&targetValue=${encodeURIComponent(numbers[0])}`],
      [connections, `${connections}&${ofGeneral}`],
    ] as const)
      await expectProblem(api.send('GET', `${path}&cursor=${await readCursor(issuedFor)}`), 400, 'lists.cursor.invalid');
    await expectProblem(api.send('GET', `/users?accountId=${accountId}&cursor=${cursor}`), 400, 'users.list.cursor-malformed');
    assert.equal((await api.send('GET', `${list}&cursor=${cursor}&pageSize=9`)).body.entities.length, 2);
  });

  test('A request with several errors is refused for the first error in this order: token, scope, body, existence, permission, state', async () => {
    const update = (id: string, call: Call) => api.send('PUT', `${CONNECTIONS}/${id}`, call);
    const readOnly = getId('connections', 'read-only');
    await expectProblem(update(UNKNOWN_ID, { body: '{', token: 'none' }), 401, 'auth.token.missing');
    await expectProblem(update(UNKNOWN_ID, { body: '{', token: 'no-scopes' }), 403, 'auth.missing-scope');
    await expectProblem(update(UNKNOWN_ID, { body: '{' }), 400, 'connections.update.malformed');
    await expectProblem(update(UNKNOWN_ID, { body: { state: 'PENDING' } }), 422, 'connections.update.invalid-value');
    await expectProblem(update(UNKNOWN_ID, ACTIVE_STATE), 404, 'connections.update.not-found');
    await expectProblem(update(readOnly, ACTIVE_STATE), 403, 'connections.update.read-only');
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

  test("A connection can be deleted while other accounts' telephone numbers are assigned to the Experience", async () => {
    const [own, other] = [api.getUnusedAccount(), api.getUnusedAccount()];
    const { id } = await api.connect('general', own.accountId);
    await api.assign('general', createNumberTarget(other.numbers[0]));
    assert.equal((await api.send('DELETE', `${CONNECTIONS}/${id}`)).status, 204);
  });

  test('The rate limit counts the requests with the required scope, separately for each client', async () => {
    const check = (call: Call = {}) => api.send('GET', `${ASSIGNABILITY}?${USER_TARGET}`, call);
    for (let n = 0; n < 110; n++) assert.equal((await check({ token: 'no-scopes' })).status, 403);
    let limited: Awaited<ReturnType<typeof check>> | undefined;
    for (let n = 0; n < 400 && limited?.status !== 429; n++) limited = await check();
    assert.deepEqual([limited?.status, limited?.headers.get('retry-after')], [429, '1']);
    assert.equal((await check({ token: 'batch' })).status, 200);
  });

  test('A reset starts a new rate window', async () => {
    const check = async () => (await api.send('GET', `${ASSIGNABILITY}?${USER_TARGET}`)).status;
    while ((await check()) !== 429);
    await api.control('POST', '/reset', { to: 'seed' });
    assert.equal(await check(), 200);
  });
});
