import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { operations } from '../contract/generated/operations.ts';
import type { ProblemBody } from './testing/checked-fetch.ts';
import { ok, type Reply, refused } from './testing/expect.ts';
import { onBothEngines, type RawRequest, type Token } from './testing/lab.ts';
import { rule } from './testing/rule.ts';
import { ASSIGNMENTS, CONNECTIONS, experience, number } from './testing/steps.ts';
import { tokens } from './testing/suites/tokens.ts';
import { idOf, NOBODY } from './testing/world.ts';

const STAGE = idOf('accounts', 'stage');

onBothEngines('problems', (lab) => {
  const create = (body: unknown, request: RawRequest = {}) => lab.send('POST', CONNECTIONS, { token: 'full', body, ...request });
  const users = (search: string, token: Token = 'full') => lab.send('GET', `/users?${search}`, { token });

  test(
    rule(
      'http.problem.content-type',
      'http.problem.title',
      'http.problem.status',
      'http.problem.trace-id',
      'http.problem.type-uri',
      'http.problem.instance-uri',
      'http.problem.detail-string',
      'http.problem.errors-array',
      'http.bodies-are-json',
    ),
    async () => {
      await lab.fault({ operation: 'getUser', fault: 'problem', status: 500, times: 1 });
      const replies: readonly Promise<Reply>[] = [
        users(''),
        users(`accountId=${STAGE}`, 'none'),
        users(`accountId=${STAGE}`, 'no-users'),
        create('{'),
        create({}),
        create({ accountId: 1, experienceId: 2, state: 3 }),
        lab.send('GET', '/nowhere'),
        lab.send('PATCH', '/users'),
        lab.send('GET', `/users/${NOBODY}`, { token: 'full' }),
        lab.send('GET', `/users/${NOBODY}`, { token: 'full' }),
        lab.send('GET', '/users/%FF', { token: 'full' }),
        lab.send('DELETE', `${CONNECTIONS}/${idOf('connections', 'of-readable-experience')}`, { token: 'full' }),
      ];
      for (const { error, response } of await Promise.all(replies)) {
        const { type, title, status, traceId, instance, detail, errors } = error as ProblemBody;
        assert.equal(response.headers.get('content-type'), 'application/problem+json');
        assert.ok(title && traceId && detail);
        assert.equal(status, response.status);
        assert.equal(instance, new URL(response.url).pathname);
        for (const { pointer, message } of errors ?? []) assert.ok(/^[/?]/.test(pointer) && message);
        // The type leads to what it means.
        const page = (await (await fetch(new URL(type, lab.kit.url))).json()) as { id: string; text: string };
        assert.deepEqual([`/problems/${page.id}`, typeof page.text], [type, 'string']);
      }
    },
  );

  test('Every documented error of every operation can be injected, and its problem says that it is a fault and names no rule', async () => {
    for (const [operation, { method, paths, statuses }] of Object.entries(operations)) {
      for (const status of statuses.filter((one) => typeof one === 'number' && one >= 400) as number[]) {
        await lab.fault({ operation, fault: 'problem', status, times: 1 });
        const reply = lab.send(method.toUpperCase(), paths[0].replace(/\{\w+\}/, NOBODY), { token: 'full' });
        const { detail, title } = await refused(reply, status, 'http.injected-fault');
        assert.equal(title, STATUS_CODES[status]);
        if (status !== 500) assert.match(detail ?? '', /^The fault fault-\d+ injected this response/);
      }
    }
  });

  test('Every wrong member is told, and where it stands', async () => {
    const { errors } = await refused(create({ accountId: 1, experienceId: 'x', state: 'y' }), 422, 'connections.create.invalid-value');
    assert.deepEqual(errors?.map(({ pointer }) => pointer).toSorted(), ['/accountId', '/experienceId', '/state']);
    const query = await refused(users('pageSize=0&sortBy=x'), 400, 'users.list.account-id-required');
    assert.deepEqual(query.errors?.map(({ pointer }) => pointer).toSorted(), ['?accountId', '?pageSize', '?sortBy']);
  });

  test('A body is read whatever its charset and compression, if it can be, and refused if not', async () => {
    const { accountId } = lab.room();
    const body = JSON.stringify({ accountId, experienceId: experience('general') });
    const post = (bytes: string | Buffer<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(`${lab.kit.url}${CONNECTIONS}`, {
        method: 'POST',
        body: bytes,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      });
    const { full: token } = await lab.kit.tokens();
    assert.equal(
      (await post(gzipSync(body), { 'content-encoding': 'gzip', 'content-type': 'application/json; charset=UTF-8' })).status,
      201,
    );
    const large = JSON.stringify({ accountId, experienceId: experience('agent'), padding: 'x'.repeat(1_100_000) });
    for (const [bytes, headers, status] of [
      [large, {}, 413],
      [gzipSync(large), { 'content-encoding': 'gzip' }, 413],
      [body, { 'content-encoding': 'gzip' }, 400],
      [body, { 'content-encoding': 'compress' }, 415],
      [body, { 'content-type': 'application/json; charset=latin1' }, 415],
      [gzipSync(''), { 'content-encoding': 'gzip' }, 400],
    ] as const) {
      const response = await post(bytes, headers);
      assert.deepEqual([response.status, response.headers.get('content-type')], [status, 'application/problem+json']);
      await response.body?.cancel();
    }
  });

  test('Another content type is answered as a malformed body, by the decision on it', async () => {
    const body = { accountId: lab.room().accountId, experienceId: experience('general') };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonx', '']) {
      await refused(create(body, { headers: { 'content-type': type } }), 400, 'connections.create.malformed');
      const assignment = { experienceId: experience('general'), ...number('+442079460105') };
      const sent = lab.send('POST', ASSIGNMENTS, { token: 'full', body: assignment, headers: { 'content-type': type } });
      await refused(sent, 422, 'assignments.create.malformed-body');
    }
    await ok(create(body, { headers: { 'content-type': 'Application/JSON;charset=utf-8' } }));
  });

  test('Read-only and unknown members of a body have no effect, by the decision on them', async () => {
    const { accountId, numbers } = lab.room();
    const own = { experienceId: experience('general'), ...number(numbers[0]) };
    const more = { id: NOBODY, accountId: STAGE, updatedAt: '1999-01-01T00:00:00Z', shoeSize: 42, constructor: null, toString: 1 };
    const made = (await ok(
      lab.send('POST', ASSIGNMENTS, {
        token: 'full',
        body: JSON.stringify({ ...own, ...more }).replace('{', '{"__proto__":{"targetType":"FAX"},'),
      }),
      201,
    )) as object;
    assert.deepEqual({ ...made, ...own, accountId }, made);
    assert.notEqual((made as { id: string }).id, NOBODY);
  });

  test('A query parameter that is unknown has no effect, one that is given twice gets 400, by the decisions on them', async () => {
    await ok(users(`accountId=${STAGE}&shoeSize=42&__proto__=x&constructor=y`));
    await refused(users(`accountId=${STAGE}&accountId=${STAGE}`), 400, 'http.duplicate-parameter');
    await refused(users(`accountId=${STAGE}&pageSize=5&pageSize=6`), 400, 'http.duplicate-parameter');
  });

  test('Of several faults the first of token, scope, query or body, existence, permission and state is answered', async () => {
    const at = (id: string, body: unknown, token: Token = 'full') => lab.send('PUT', `${CONNECTIONS}/${id}`, { token, body });
    const [readOnly, state] = [idOf('connections', 'of-readable-experience'), { state: 'ACTIVE' }];
    await refused(at(NOBODY, '{', 'none'), 401, 'auth.token.missing');
    await refused(at(NOBODY, '{', 'no-connections'), 403, 'auth.missing-scope');
    await refused(at(NOBODY, '{'), 400, 'connections.update.malformed');
    await refused(at(NOBODY, { state: 'PENDING' }), 422, 'connections.update.invalid-value');
    await refused(at(NOBODY, state), 404, 'connections.update.not-found');
    await refused(at(readOnly, state), 403, 'connections.update.read-only');
  });
});

onBothEngines(
  'a broken store',
  (lab) => {
    test('Whatever the cause of a 500, its detail is the same', async () => {
      await lab.fault({ operation: 'getUsers', fault: 'problem', status: 500, times: 1 });
      const list = () => lab.send('GET', `/users?accountId=${STAGE}`, { token: 'full' });
      const { detail } = await refused(list(), 500, 'http.injected-fault');
      await lab.kit.store.db.schema.dropTable('user_list').execute();
      await lab.kit.store.db.schema.dropTable('native_user_ids').execute();
      assert.equal((await refused(list(), 500, 'http.unexpected-error')).detail, detail);
      assert.equal((await refused(lab.send('GET', '/users/2065550001', { token: 'full' }), 500, 'http.unexpected-error')).detail, detail);
      await ok(lab.send('GET', `/users/${idOf('users', 'ada')}`, { token: 'full' }));
    });
  },
  { logLevel: 'silent' },
);

onBothEngines('tokens', tokens);
