import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, ok, refused } from './testing/expect.ts';
import { onBothEngines } from './testing/lab.ts';
import { rule } from './testing/rule.ts';
import { ASSIGNMENT, ASSIGNMENTS, account, assign, assignmentsOf, experience, number, readAssignment, user } from './testing/steps.ts';
import { assignmentsList } from './testing/suites/assignments-list.ts';
import { idOf, NOBODY } from './testing/world.ts';

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const OUT_OF_REACH = ['in-hidden-account', 'of-hidden-experience'].map((alias) => idOf('assignments', alias));
const READ_ONLY = ['in-readable-account', 'of-readable-experience'].map((alias) => idOf('assignments', alias));
const path = (assignmentId: string) => ({ params: { path: { assignmentId } } });

onBothEngines('assignments', (lab) => {
  const api = () => lab.api('full');
  const create = (body: unknown) => lab.send('POST', ASSIGNMENTS, { token: 'full', body });

  test(rule('assignments.create.created', 'assignments.create.echo', 'assignments.create.updated-at-utc'), async () => {
    const { numbers, users, accountId } = lab.room();
    for (const target of [number(numbers[0]), user(users[0]), account(accountId)]) {
      const created = await ok(api().POST(ASSIGNMENTS, { body: { experienceId: experience('agent'), ...target } }), 201);
      const { experienceId, targetType, targetValue, id, updatedAt } = created;
      assert.deepEqual({ experienceId, targetType, targetValue }, { experienceId: experience('agent'), ...target });
      assert.ok(id);
      assert.match(updatedAt, UTC);
      assert.equal(Date.parse(updatedAt), lab.kit.clock.now());
    }
    assert.deepEqual(await lab.published(accountId), Array(3).fill('experience.assignment.created'));
  });

  test(rule('assignments.create.account-of-target'), async () => {
    const { numbers, users, accountId } = lab.room();
    for (const target of [number(numbers[0]), user(users[0]), account(accountId)]) {
      assert.equal((await assign(lab, 'general', target)).accountId, accountId);
    }
  });

  test(rule('assignments.create.required-field'), async () => {
    const whole = { experienceId: experience('general'), ...number(lab.room().numbers[0]) };
    for (const left of Object.keys(whole)) {
      const { errors } = await refused(create({ ...whole, [left]: undefined }), 422, 'assignments.create.required-field');
      assert.equal(errors?.[0]?.pointer, `/${left}`);
    }
    await refused(create({}), 422, 'assignments.create.required-field');
    await ok(create(whole), 201);
  });

  test(rule('assignments.create.invalid-value'), async () => {
    const whole = { experienceId: experience('general'), ...number(lab.room().numbers[0]) };
    const wrong = [
      { targetType: 'FAX' },
      { targetType: 'user' },
      { targetType: null },
      { targetType: 7 },
      { targetValue: 12065550100 },
      { targetValue: null },
      { experienceId: 7 },
      { experienceId: ['x'] },
    ];
    for (const change of wrong) await refused(create({ ...whole, ...change }), 422, 'assignments.create.invalid-value');
  });

  test(rule('assignments.create.target-value-format'), async () => {
    const wrong = [
      number('12065550100'),
      number('+1206555O100'),
      number('+0206555'),
      number('+1234567890123456'),
      number(''),
      number('+12065550100\n'),
    ];
    const uuids = ['no-uuid', '+12065550100', `urn:uuid:${NOBODY}`, `{${NOBODY}}`, `${NOBODY}0`, ''];
    for (const target of [...wrong, ...uuids.map(user), ...uuids.map(account)]) {
      await refused(create({ experienceId: experience('general'), ...target }), 422, 'assignments.create.target-value-format');
    }
  });

  test(rule('assignments.create.unknown-user'), async () => {
    for (const id of [NOBODY, idOf('accounts', 'stage')]) {
      await refused(create({ experienceId: experience('general'), ...user(id) }), 422, 'assignments.create.unknown-user');
    }
  });

  test('A user out of reach is answered as one that does not exist', async () => {
    await refused(
      create({ experienceId: experience('general'), ...user(idOf('users', 'hidden')) }),
      422,
      'assignments.create.unknown-user',
    );
  });

  test(rule('assignments.create.agent-number-taken', 'assignments.create.several-experiences'), async () => {
    const { numbers, users } = lab.room();
    await assign(lab, 'agent', number(numbers[0]));
    await refused(create({ experienceId: experience('other-agent'), ...number(numbers[0]) }), 422, 'assignments.create.agent-number-taken');
    await assign(lab, 'general', number(numbers[0]));
    await assign(lab, 'other-agent', number(numbers[1]));
    // The rule is about numbers alone.
    await assign(lab, 'agent', user(users[0]));
    await assign(lab, 'other-agent', user(users[0]));
  });

  test(rule('assignments.create.duplicate-refused', 'assignments.create.refused-changes-nothing'), async () => {
    const { numbers, users, accountId } = lab.room();
    for (const target of [number(numbers[0]), user(users[0]), account(accountId)]) {
      await assign(lab, 'agent', target);
      const before = await assignmentsOf(lab, accountId);
      const published = await lab.published(accountId);
      await refused(create({ experienceId: experience('agent'), ...target }), 409, 'assignments.create.duplicate');
      await refused(create({ experienceId: experience('readable'), ...target }), 422, 'assignments.create.read-only-experience');
      assert.deepEqual(await assignmentsOf(lab, accountId), before);
      assert.deepEqual(await lab.published(accountId), published);
    }
  });

  test(rule('assignments.create.again'), async () => {
    const { numbers, accountId } = lab.room();
    const first = await assign(lab, 'agent', number(numbers[0]));
    await done(api().DELETE(ASSIGNMENT, path(first.id)));
    const second = await assign(lab, 'other-agent', number(numbers[0]));
    await done(api().DELETE(ASSIGNMENT, path(second.id)));
    assert.notEqual((await assign(lab, 'agent', number(numbers[0]))).id, first.id);
    assert.equal((await lab.published(accountId)).length, 5);
  });

  test(rule('assignments.get.shape', 'assignments.get.same-as-created'), async () => {
    const created = await assign(lab, 'general', number(lab.room().numbers[0]));
    assert.deepEqual(await ok(api().GET(ASSIGNMENT, path(created.id)), 200), created);
    assert.deepEqual(Object.keys(created), ['id', 'experienceId', 'accountId', 'targetType', 'targetValue', 'updatedAt']);
  });

  test(rule('assignments.get.not-found'), async () => {
    for (const id of [NOBODY, ...OUT_OF_REACH]) await refused(api().GET(ASSIGNMENT, path(id)), 404, 'assignments.get.not-found');
    for (const id of READ_ONLY) await ok(api().GET(ASSIGNMENT, path(id)));
    await refused(lab.api('outsider').GET(ASSIGNMENT, path(READ_ONLY[0]!)), 404, 'assignments.get.not-found');
  });

  test(rule('assignments.delete.no-body', 'assignments.delete.gone'), async () => {
    const { numbers, accountId } = lab.room();
    const { id } = await assign(lab, 'general', number(numbers[0]));
    await done(api().DELETE(ASSIGNMENT, path(id)), 204);
    await refused(readAssignment(lab, id), 404, 'assignments.get.not-found');
    assert.deepEqual(await assignmentsOf(lab, accountId), []);
    assert.deepEqual(await lab.published(accountId), ['experience.assignment.created', 'experience.assignment.deleted']);
  });

  test(rule('assignments.delete.not-found'), async () => {
    const { id } = await assign(lab, 'general', number(lab.room().numbers[0]));
    await done(api().DELETE(ASSIGNMENT, path(id)));
    for (const gone of [id, NOBODY, ...OUT_OF_REACH])
      await refused(api().DELETE(ASSIGNMENT, path(gone)), 404, 'assignments.delete.not-found');
  });

  test(rule('assignments.delete.read-only', 'assignments.delete.refused-changes-nothing'), async () => {
    const { numbers, accountId } = lab.room();
    const { id } = await assign(lab, 'general', number(numbers[0]));
    for (const readOnly of READ_ONLY) await refused(api().DELETE(ASSIGNMENT, path(readOnly)), 403, 'assignments.delete.read-only');
    await refused(lab.api('reader').DELETE(ASSIGNMENT, path(id)), 403, 'assignments.delete.read-only');
    await refused(lab.api('outsider').DELETE(ASSIGNMENT, path(id)), 404, 'assignments.delete.not-found');
    for (const still of [id, ...READ_ONLY]) await ok(readAssignment(lab, still));
    assert.deepEqual(await lab.published(accountId), ['experience.assignment.created']);
  });

  test(rule('assignments.create.scope', 'assignments.get.scope', 'assignments.delete.scope', 'assignments.list.scope'), async () => {
    const { numbers, accountId } = lab.room();
    const { id } = await assign(lab, 'general', number(numbers[0]));
    for (const token of ['no-assignments', 'no-scopes'] as const) {
      const less = lab.api(token);
      await refused(
        less.POST(ASSIGNMENTS, { body: { experienceId: experience('general'), ...number(numbers[1]) } }),
        403,
        'auth.missing-scope',
      );
      await refused(less.GET(ASSIGNMENTS, { params: { query: { accountId } } }), 403, 'auth.missing-scope');
      await refused(less.GET(ASSIGNMENT, path(id)), 403, 'auth.missing-scope');
      await refused(less.DELETE(ASSIGNMENT, path(id)), 403, 'auth.missing-scope');
    }
    assert.equal((await assignmentsOf(lab, accountId)).length, 1);
  });
});

onBothEngines('assignments list', assignmentsList);
