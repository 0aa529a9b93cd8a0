import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { ASSIGNMENTS, CONNECTIONS, expectProblem, onBothEngines, onSqlite } from '../testing/api-kit.ts';
import { createNumberTarget, getExperienceId, getId, UNKNOWN_ID } from './testing/world.ts';

const operationIds = Object.keys(operations) as OperationId[];

onSqlite('requests', (api) => {
  test('The service has 22 routes, and other paths get 404', async () => {
    assert.equal(operationIds.flatMap((id) => operations[id].paths).length, 22);
    const unknown = [
      '/experience/users',
      '/experience-users',
      '/experience',
      '/experience/experiences',
      '/assignments',
      '/users/',
      '/Users',
    ];
    const nested = [`/users/${UNKNOWN_ID}/x`, '/experience//assignments', '/experience/assignments/', '/v1/users'];
    for (const path of [...unknown, ...nested]) await expectProblem(api.send('GET', path), 404, 'http.unknown-route');
  });

  test('An unsupported method gets 405 with the allowed methods, and an OPTIONS request gets 204', async () => {
    for (const id of operationIds) {
      for (const path of operations[id].paths.map((template) => template.replace(/\{\w+\}/, UNKNOWN_ID))) {
        const reply = api.send('PATCH', path, { body: {} });
        await expectProblem(reply, 405, 'http.method-not-allowed');
        assert.ok((await reply).headers.get('allow')?.includes(operations[id].method.toUpperCase()));
        assert.equal((await api.send('OPTIONS', path)).status, 204);
      }
    }
  });

  test('An id whose percent-encoding is not UTF-8 is the id of no entity', async () => {
    for (const [path, rule] of [
      ['/users', 'users.get.not-found'],
      [ASSIGNMENTS, 'assignments.get.not-found'],
      [CONNECTIONS, 'connections.get.not-found'],
    ] as const)
      for (const id of ['%E0%A4%A', '%ZZ', '%', '%FF']) await expectProblem(api.send('GET', `${path}/${id}`), 404, rule);
  });

  test('The response to a HEAD request equals the response to a GET request, but has no body', async () => {
    const path = `/users/${getId('users', 'ada')}`;
    const [get, head] = [await api.send('GET', path), await api.send('HEAD', path)];
    assert.deepEqual([head.status, head.body], [200, {}]);
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
    assert.equal((await api.send('HEAD', `/users/${UNKNOWN_ID}`)).status, 404);
  });

  test('The service accepts a compressed request body', async () => {
    const body = gzipSync(JSON.stringify({ accountId: api.getUnusedAccount().accountId, experienceId: getExperienceId('general') }));
    const headers = { 'content-encoding': 'gzip', 'content-type': 'Application/JSON;charset=UTF-8' };
    assert.equal((await api.send('POST', CONNECTIONS, { body, headers })).status, 201);
  });

  test('Read-only and unknown body members, and unknown query parameters, have no effect', async () => {
    const { accountId, numbers } = api.getUnusedAccount();
    const sent = { experienceId: getExperienceId('general'), ...createNumberTarget(numbers[0]) };
    const ignored = { id: UNKNOWN_ID, accountId: UNKNOWN_ID, updatedAt: '1999-01-01T00:00:00Z', constructor: null, toString: 1 };
    const body = JSON.stringify({ ...sent, ...ignored }).replace('{', '{"__proto__":{"targetType":"FAX"},');
    const created = (await api.send('POST', ASSIGNMENTS, { body })).body;
    assert.deepEqual({ ...created, ...sent, accountId }, created);
    assert.notEqual(created.id, UNKNOWN_ID);
    assert.equal((await api.send('GET', `/users?accountId=${accountId}&shoeSize=42&__proto__=x&constructor=y`)).status, 200);
  });
});

onBothEngines('ids in paths', (api) => {
  const send = (id: OperationId, value: string) => {
    const query = id === 'getExperienceAssignability' ? `?targetType=ACCOUNT&targetValue=${UNKNOWN_ID}` : '';
    const body = id === 'updateExperienceConnection' ? { body: { state: 'ACTIVE' } } : {};
    return api.send(operations[id].method.toUpperCase(), operations[id].paths[0].replace(/\{\w+\}/, value) + query, body);
  };
  const withId = operationIds.filter((id) => operations[id].pathParameters.length === 1);

  test('A request with an unknown id gets 404, even if the id has a NUL character, a quote or thousands of characters', async () => {
    const quoted = ['%27%20or%201%3D1--', 'a%2Fb', '%25', '*', ';', 'null'];
    const values = ['%00', `${UNKNOWN_ID}%00`, `urn:uuid:${UNKNOWN_ID}`, '%ED%9F%BF', '%F0%9F%92%A9', 'x'.repeat(4000), '9'.repeat(4000)];
    for (const id of withId)
      for (const value of [...values, ...quoted]) assert.equal((await send(id, value)).status, 404, `${id} ${value.slice(0, 99)}`);
  });
});

onBothEngines(
  'a broken database',
  (api) => {
    test('Every response with status 500 has the same detail, whatever the cause', async () => {
      await api.control('POST', '/faults', { operation: 'getUsers', fault: 'problem', status: 500, times: 1 });
      const list = () => api.send('GET', `/users?accountId=${getId('accounts', 'stage')}`);
      const { detail } = await expectProblem(list(), 500, 'http.injected-fault');
      await api.kit.store.db.schema.dropTable('user_list').execute();
      await api.kit.store.db.schema.dropTable('native_user_ids').execute();
      assert.equal((await expectProblem(list(), 500, 'http.unexpected-error')).detail, detail);
      assert.equal((await expectProblem(api.send('GET', '/users/2065550001'), 500, 'http.unexpected-error')).detail, detail);
      assert.equal((await api.send('GET', `/users/${getId('users', 'ada')}`)).status, 200);
    });
  },
  { logLevel: 'silent' },
);
