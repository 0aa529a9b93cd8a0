import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operations, type PathForm } from '../contract/generated/operations.ts';
import { answers, expectAnswer } from './testing/answers.ts';
import { done, ok, refused } from './testing/expect.ts';
import { onBothEngines } from './testing/lab.ts';
import { rule } from './testing/rule.ts';
import { ASSIGNMENT, ASSIGNMENTS, CONNECTION, CONNECTIONS, experience, number } from './testing/steps.ts';
import { idOf, NOBODY } from './testing/world.ts';

const FORMS = ['prefixed', 'flat'] as const;
const OTHER = { prefixed: 'flat', flat: 'prefixed' } as const;
const operationIds = Object.keys(operations) as OperationId[];

onBothEngines('path forms', (lab) => {
  const everyAnswer = async (form: PathForm, operationId: OperationId) => {
    for (const status of Object.keys(answers[operationId])) {
      await expectAnswer({ lab, form, as: (token) => lab.api(token, form) }, operationId, status);
    }
  };

  test(rule('http.path-forms.prefixed-served'), async (t) => {
    for (const operationId of operationIds)
      await t.test(`${operationId} has each of its documented answers`, () => everyAnswer('prefixed', operationId));
  });

  test(rule('http.path-forms.flat-served'), async (t) => {
    // The operations about users have one path.
    const both = operationIds.filter((operationId) => operations[operationId].paths.length === 2);
    assert.equal(both.length, 10);
    for (const operationId of both)
      await t.test(`${operationId} has each of its documented answers`, () => everyAnswer('flat', operationId));
  });

  test(rule('http.path-forms.same-operation'), async () => {
    for (const form of FORMS) {
      const [here, there] = [lab.api('full', form), lab.api('full', OTHER[form])];
      const { accountId, numbers } = lab.room();
      const query = { params: { query: { accountId } } };
      const connection = await ok(here.POST(CONNECTIONS, { body: { accountId, experienceId: experience('general') } }));
      const atConnection = { params: { path: { experienceConnectionId: connection.id! } } };
      assert.deepEqual(await ok(there.GET(CONNECTION, atConnection)), connection);
      const updated = await ok(there.PUT(CONNECTION, { ...atConnection, body: { state: 'ACTIVE' } }));
      assert.deepEqual(await ok(here.GET(CONNECTIONS, query)), await ok(there.GET(CONNECTIONS, query)));
      assert.deepEqual((await ok(here.GET(CONNECTIONS, query))).entities, [updated]);

      const assignment = await ok(here.POST(ASSIGNMENTS, { body: { experienceId: experience('general'), ...number(numbers[0]) } }));
      const atAssignment = { params: { path: { assignmentId: assignment.id } } };
      assert.deepEqual(await ok(there.GET(ASSIGNMENT, atAssignment)), assignment);
      assert.deepEqual((await ok(there.GET(ASSIGNMENTS, query))).entities, [assignment]);
      await refused(there.DELETE(CONNECTION, atConnection), 409, 'connections.delete.numbers-assigned');
      await done(there.DELETE(ASSIGNMENT, atAssignment));
      await refused(here.GET(ASSIGNMENT, atAssignment), 404, 'assignments.get.not-found');
      await done(there.DELETE(CONNECTION, atConnection));
      await refused(here.GET(CONNECTION, atConnection), 404, 'connections.get.not-found');
    }
  });

  test('A cursor that one form gave leads on under the other', async () => {
    const query = { accountId: idOf('accounts', 'busy'), pageSize: 60 };
    for (const form of FORMS) {
      const { cursor } = await ok(lab.api('full', form).GET(ASSIGNMENTS, { params: { query } }));
      const rest = await ok(lab.api('full', OTHER[form]).GET(ASSIGNMENTS, { params: { query: { ...query, cursor: cursor! } } }));
      assert.equal(rest.cursor, null);
    }
  });

  test('There are 22 routes, and no other', async () => {
    assert.equal(operationIds.flatMap((id) => operations[id].paths).length, 22);
    const strange = [
      '/experience/users',
      `/experience/users/${NOBODY}`,
      '/experience-users',
      '/experience',
      '/experience/experiences',
      `/experiences/${NOBODY}`,
      '/assignments',
      '/connections',
      '/users/',
      '/Users',
      '/EXPERIENCE/assignments',
      '/experience/assignments/',
      '/experience//assignments',
      `/users/${NOBODY}/x`,
      '/experience/experience-assignments',
      '/v1/users',
    ];
    for (const path of strange) await refused(lab.send('GET', path, { token: 'full' }), 404, 'http.unknown-route');
  });

  test('Another method on a path of the service gets 405 and is told which there are; OPTIONS asks for just that', async () => {
    for (const operationId of operationIds) {
      for (const path of operations[operationId].paths.map((template) => template.replace(/\{\w+\}/, NOBODY))) {
        const problem = lab.send('PATCH', path, { token: 'full', body: {} });
        await refused(problem, 405, 'http.method-not-allowed');
        assert.ok((await problem).response.headers.get('allow')?.includes(operations[operationId].method.toUpperCase()));
        const options = await fetch(`${lab.kit.url}${path}`, { method: 'OPTIONS' });
        assert.equal(options.status, 204);
      }
    }
  });

  const BY_ID = operationIds.filter((operationId) => operations[operationId].pathParameters.length === 1);
  const asked = (operationId: OperationId, form: PathForm, id: string) => {
    const search = operationId === 'getExperienceAssignability' ? `?targetType=ACCOUNT&targetValue=${NOBODY}` : '';
    const body = operationId === 'updateExperienceConnection' ? { body: { state: 'ACTIVE' } } : {};
    return lab.send(operations[operationId].method.toUpperCase(), operations[operationId].forms[form].replace(/\{\w+\}/, id) + search, {
      token: 'full',
      ...body,
    });
  };

  test('An id in a path is any text: what is no UUID, has NUL in it or is very long names nothing, and gets 404', async () => {
    const strange = [
      'no-uuid',
      NOBODY.toUpperCase(),
      NOBODY.replaceAll('-', ''),
      `${NOBODY}0`,
      `urn:uuid:${NOBODY}`,
      '%00',
      `${NOBODY}%00`,
      '%ED%9F%BF',
      '%F0%9F%92%A9',
      'a%2Fb',
      '%27%20or%201%3D1--',
      '%25',
      '*',
      ';',
      '~',
      'null',
      'x'.repeat(4000),
      '9'.repeat(4000),
    ];
    for (const operationId of BY_ID) {
      for (const form of FORMS) {
        for (const id of strange)
          assert.equal((await asked(operationId, form, id)).response.status, 404, `${operationId} ${id.slice(0, 99)}`);
      }
    }
  });

  test('A path whose escapes are no UTF-8 gets 400', async () => {
    for (const operationId of BY_ID)
      for (const id of ['%FF', '%', '%ED%A0%80', '%zz']) await refused(asked(operationId, 'flat', id), 400, 'http.malformed-path');
  });

  test('A UUID in capitals is the same UUID, and answered in lower case', async () => {
    const [assignment, connection, ada] = [
      idOf('assignments', 'of-readable-experience'),
      idOf('connections', 'of-readable-experience'),
      idOf('users', 'ada'),
    ];
    for (const form of FORMS) {
      for (const [operationId, id] of [
        ['getExperienceAssignment', assignment],
        ['getExperienceConnection', connection],
        ['getUser', ada],
      ] as const) {
        assert.equal(((await ok(asked(operationId, form, id.toUpperCase()))) as { id: string }).id, id);
      }
    }
    const { accountId } = lab.room();
    const body = { accountId: accountId.toUpperCase(), experienceId: experience('general').toUpperCase() };
    const created = await ok(lab.api('full').POST(CONNECTIONS, { body }));
    assert.deepEqual([created.accountId, created.experienceId], [accountId, experience('general')]);
    const list = await ok(lab.api('full').GET(CONNECTIONS, { params: { query: { accountId: accountId.toUpperCase() } } }));
    assert.deepEqual(list.entities, [created]);
  });

  test('HEAD is GET without the body', async () => {
    const get = await lab.send('GET', `/users/${idOf('users', 'ada')}`, { token: 'full' });
    const { full } = await lab.kit.tokens();
    const headers = { authorization: `Bearer ${full}` };
    const head = await fetch(`${lab.kit.url}/users/${idOf('users', 'ada')}`, { method: 'HEAD', headers });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('content-length'), get.response.headers.get('content-length'));
    assert.equal((await fetch(`${lab.kit.url}/users/${NOBODY}`, { method: 'HEAD', headers })).status, 404);
  });
});
