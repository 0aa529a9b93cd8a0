import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, ok, refused } from './testing/expect.ts';
import { onBothEngines } from './testing/lab.ts';
import { rule } from './testing/rule.ts';
import {
  account,
  assign,
  CONNECTION,
  CONNECTIONS,
  connect,
  connectionsOf,
  experience,
  NO_OBJECT,
  NOT_JSON,
  number,
  readConnection,
  user,
} from './testing/steps.ts';
import { connectionsList } from './testing/suites/connections-list.ts';
import { connectionsUpdate } from './testing/suites/connections-update.ts';
import { idOf, NOBODY } from './testing/world.ts';

const OUT_OF_REACH = ['in-hidden-account', 'of-hidden-experience'].map((alias) => idOf('connections', alias));
const READ_ONLY = ['in-readable-account', 'of-readable-experience'].map((alias) => idOf('connections', alias));
const path = (experienceConnectionId: string) => ({ params: { path: { experienceConnectionId } } });

onBothEngines('connections', (lab) => {
  const api = () => lab.api('full');
  const create = (body: unknown) => lab.send('POST', CONNECTIONS, { token: 'full', body });
  const put = (id: string, state: 'ACTIVE' | 'INACTIVE') => api().PUT(CONNECTION, { ...path(id), body: { state } });

  test(rule('connections.create.success', 'connections.create.listed', 'connections.create.state'), async () => {
    const { accountId, alias } = lab.room();
    const created = await connect(lab, 'general', accountId);
    const accountName = alias.replace('room-', 'Room ');
    assert.deepEqual(created, { ...created, accountId, accountName, experienceId: experience('general'), state: 'INACTIVE' });
    assert.deepEqual(Object.keys(created), ['id', 'accountId', 'accountName', 'experienceId', 'state', 'updatedAt']);
    assert.equal((await connect(lab, 'agent', accountId, 'ACTIVE')).state, 'ACTIVE');
    assert.deepEqual(await ok(readConnection(lab, created.id)), created);
    assert.deepEqual((await connectionsOf(lab, accountId))[0], created);
    assert.deepEqual(await lab.published(accountId), Array(2).fill('experience.connection.created'));
  });

  test(rule('connections.create.malformed'), async () => {
    for (const body of NOT_JSON) await refused(create(body), 400, 'connections.create.malformed');
    await refused(lab.send('POST', CONNECTIONS, { token: 'full' }), 400, 'connections.create.malformed');
    for (const body of NO_OBJECT) await refused(create(body), 400, 'connections.malformed-body');
  });

  test(rule('connections.create.required-field'), async () => {
    const whole = { accountId: lab.room().accountId, experienceId: experience('general') };
    for (const left of Object.keys(whole)) await refused(create({ ...whole, [left]: undefined }), 422, 'connections.create.required-field');
    await ok(create(whole), 201);
  });

  test(rule('connections.create.invalid-value'), async () => {
    const whole = { accountId: lab.room().accountId, experienceId: experience('general') };
    const wrong = [
      { accountId: 'no-uuid' },
      { accountId: null },
      { accountId: `urn:uuid:${whole.accountId}` },
      { experienceId: 7 },
      { experienceId: '' },
      { state: 'active' },
      { state: null },
      { state: '' },
    ];
    for (const change of wrong) await refused(create({ ...whole, ...change }), 422, 'connections.create.invalid-value');
  });

  test(rule('connections.create.exists', 'connections.create.refused-changes-nothing'), async () => {
    const { accountId } = lab.room();
    await connect(lab, 'general', accountId, 'ACTIVE');
    const before = await connectionsOf(lab, accountId);
    for (const state of ['ACTIVE', 'INACTIVE', undefined]) {
      await refused(create({ accountId, experienceId: experience('general'), state }), 409, 'connections.create.exists');
    }
    await refused(create({ accountId, experienceId: NOBODY }), 422, 'connections.create.unknown-account-or-experience');
    await refused(
      create({ accountId: NOBODY, experienceId: experience('agent') }),
      422,
      'connections.create.unknown-account-or-experience',
    );
    assert.deepEqual(await connectionsOf(lab, accountId), before);
    assert.deepEqual(await lab.published(accountId), ['experience.connection.created']);
  });

  test(rule('connections.create.read-only'), async () => {
    const { accountId } = lab.room();
    const body = { accountId, experienceId: experience('general') };
    await refused(create({ ...body, accountId: idOf('accounts', 'readable') }), 403, 'connections.create.read-only');
    await refused(create({ ...body, experienceId: experience('readable') }), 403, 'connections.create.read-only');
    await refused(lab.api('reader').POST(CONNECTIONS, { body }), 403, 'connections.create.read-only');
    await refused(lab.api('outsider').POST(CONNECTIONS, { body }), 422, 'connections.create.unknown-account-or-experience');
    assert.deepEqual(await connectionsOf(lab, accountId), []);
  });

  test(rule('connections.create.again'), async () => {
    const { accountId } = lab.room();
    const first = await connect(lab, 'general', accountId);
    await done(api().DELETE(CONNECTION, path(first.id)));
    assert.notEqual((await connect(lab, 'general', accountId)).id, first.id);
  });

  test(rule('connections.get.shape'), async () => {
    const [id] = READ_ONLY;
    const { accountId, accountName, experienceId, state } = await ok(readConnection(lab, id!), 200);
    assert.deepEqual([accountId, accountName], [idOf('accounts', 'readable'), 'Readable']);
    assert.deepEqual([experienceId, state], [experience('agent'), 'ACTIVE']);
  });

  test(rule('connections.get.not-found', 'connections.update.not-found', 'connections.delete.not-found'), async () => {
    const { id } = await connect(lab, 'general', lab.room().accountId);
    await done(api().DELETE(CONNECTION, path(id)));
    for (const gone of [id, NOBODY, ...OUT_OF_REACH]) {
      await refused(api().GET(CONNECTION, path(gone)), 404, 'connections.get.not-found');
      for (const state of ['ACTIVE', 'INACTIVE'] as const) await refused(put(gone, state), 404, 'connections.update.not-found');
      await refused(api().DELETE(CONNECTION, path(gone)), 404, 'connections.delete.not-found');
    }
  });

  test(rule('connections.update.read-only', 'connections.delete.read-only'), async () => {
    const created = await connect(lab, 'general', lab.room().accountId);
    const reader = lab.api('reader');
    await refused(reader.PUT(CONNECTION, { ...path(created.id), body: { state: 'ACTIVE' } }), 403, 'connections.update.read-only');
    await refused(reader.DELETE(CONNECTION, path(created.id)), 403, 'connections.delete.read-only');
    for (const id of READ_ONLY) {
      // The state it has as well as the other: permission comes before state.
      for (const state of ['ACTIVE', 'INACTIVE'] as const) await refused(put(id, state), 403, 'connections.update.read-only');
      await refused(api().DELETE(CONNECTION, path(id)), 403, 'connections.delete.read-only');
    }
    assert.deepEqual(await ok(readConnection(lab, created.id)), created);
  });

  test(rule('connections.delete.deleted', 'connections.delete.gone'), async () => {
    const { accountId } = lab.room();
    for (const state of ['ACTIVE', 'INACTIVE'] as const) {
      const { id } = await connect(lab, 'general', accountId, state);
      await done(api().DELETE(CONNECTION, path(id)), 204);
      await refused(readConnection(lab, id), 404, 'connections.get.not-found');
      assert.deepEqual(await connectionsOf(lab, accountId), []);
    }
    assert.deepEqual((await lab.published(accountId)).slice(2), ['experience.connection.created', 'experience.connection.deleted']);
  });

  test(rule('connections.delete.numbers-assigned', 'connections.delete.refused-changes-nothing'), async () => {
    const { accountId, numbers } = lab.room();
    const connection = await connect(lab, 'agent', accountId, 'ACTIVE');
    const { id } = await assign(lab, 'agent', number(numbers[0]));
    const published = await lab.published(accountId);
    await refused(api().DELETE(CONNECTION, path(connection.id)), 409, 'connections.delete.numbers-assigned');
    assert.deepEqual(await ok(readConnection(lab, connection.id)), connection);
    assert.deepEqual(await lab.published(accountId), published);
    await done(api().DELETE('/experience/assignments/{assignmentId}', { params: { path: { assignmentId: id } } }));
    await done(api().DELETE(CONNECTION, path(connection.id)));
  });

  test(rule('connections.delete.only-numbers-block'), async () => {
    const { accountId, numbers, users } = lab.room();
    const { id } = await connect(lab, 'agent', accountId);
    await assign(lab, 'agent', account(accountId));
    await assign(lab, 'agent', user(users[0]));
    // A number of another Experience, or of another account, is none of this connection's.
    await assign(lab, 'general', number(numbers[0]));
    await assign(lab, 'agent', number(lab.room().numbers[0]));
    await done(api().DELETE(CONNECTION, path(id)));
  });

  test(
    rule(
      'connections.create.scope',
      'connections.get.scope',
      'connections.list.scope',
      'connections.update.scope',
      'connections.delete.scope',
    ),
    async () => {
      const { accountId } = lab.room();
      const { id } = await connect(lab, 'general', accountId);
      for (const token of ['no-connections', 'no-scopes'] as const) {
        const less = lab.api(token);
        await refused(less.POST(CONNECTIONS, { body: { accountId, experienceId: experience('agent') } }), 403, 'auth.missing-scope');
        await refused(less.GET(CONNECTIONS, { params: { query: { accountId } } }), 403, 'auth.missing-scope');
        await refused(less.GET(CONNECTION, path(id)), 403, 'auth.missing-scope');
        await refused(less.PUT(CONNECTION, { ...path(id), body: { state: 'ACTIVE' } }), 403, 'auth.missing-scope');
        await refused(less.DELETE(CONNECTION, path(id)), 403, 'auth.missing-scope');
      }
      assert.equal((await connectionsOf(lab, accountId)).length, 1);
    },
  );
});

onBothEngines('updating connections', connectionsUpdate);
onBothEngines('connections list', connectionsList);
