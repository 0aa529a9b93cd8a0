import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { operator } from '../platform.ts';
import {
  ASSIGNMENTS,
  account,
  assign,
  assignmentsOf,
  connect,
  connectionsOf,
  experience,
  number,
  readAssignment,
  readConnection,
  user,
} from '../steps.ts';

export function othersBefore(lab: Lab): void {
  const readUser = (userId: string) => lab.api('full').GET('/users/{userId}', { params: { path: { userId } } });
  const publishedWith = async (accountId: string) => {
    const rows = await lab.kit.store.db.selectFrom('events').select(['type', 'entity_id', 'data']).orderBy('id').execute();
    const events = rows.map(({ type, entity_id: entityId, data }) => ({
      type,
      entityId,
      data: JSON.parse(data) as Record<string, string>,
    }));
    return events.filter(({ data }) => data.accountId === accountId);
  };

  test('An account that the platform deletes takes everything along, a connection with numbers assigned too', async () => {
    const { alias, accountId, numbers, users } = lab.room();
    const connection = await connect(lab, 'agent', accountId, 'ACTIVE');
    const line = await assign(lab, 'agent', number(numbers[0]));
    await assign(lab, 'agent', account(accountId));
    await operator(lab).remove('accounts', alias);
    await refused(readConnection(lab, connection.id), 404, 'connections.get.not-found');
    await refused(readAssignment(lab, line.id), 404, 'assignments.get.not-found');
    for (const id of users) await refused(readUser(id), 404, 'users.get.not-found');
    assert.deepEqual([await assignmentsOf(lab, accountId), await connectionsOf(lab, accountId)], [[], []]);
    const types = (await lab.published(accountId)).slice(3).toSorted();
    const gone = ['experience.assignment.deleted', 'experience.assignment.deleted', 'experience.connection.deleted'];
    assert.deepEqual(types, [...gone, 'provisioning.user.deleted', 'provisioning.user.deleted']);
  });

  test('A number or a user that the platform deletes takes its assignments along, and a number then blocks nothing', async () => {
    const { accountId, numbers, users } = lab.room();
    const connection = await connect(lab, 'agent', accountId);
    const made = [await assign(lab, 'agent', number(numbers[0])), await assign(lab, 'general', user(users[0]))];
    await operator(lab).remove('telephoneNumbers', numbers[0]);
    await operator(lab).remove('users', users[0]);
    for (const { id } of made) await refused(readAssignment(lab, id), 404, 'assignments.get.not-found');
    const again = lab.api('full').POST(ASSIGNMENTS, { body: { experienceId: experience('general'), ...user(users[0]) } });
    await refused(again, 422, 'assignments.create.unknown-user');
    const path = { path: { experienceConnectionId: connection.id } };
    assert.equal((await lab.api('full').DELETE('/experience/connections/{experienceConnectionId}', { params: path })).response.status, 204);
  });

  test('What the portal does is what the API shows at once, and publishes as the API does', async () => {
    const { alias, accountId, numbers } = lab.room();
    const connection = await operator(lab).create('connections', { account: alias, experience: 'agent', state: 'INACTIVE' });
    const before = await ok(readConnection(lab, connection.id));
    await operator(lab).change('connections', connection.id, { state: 'ACTIVE' });
    const after = await ok(readConnection(lab, connection.id));
    assert.deepEqual([before.state, after.state], ['INACTIVE', 'ACTIVE']);
    assert.ok(after.updatedAt! > before.updatedAt!);
    const line = await operator(lab).create('assignments', { experience: 'agent', targetType: 'PHONE_NUMBER', target: numbers[0] });
    assert.deepEqual((await assignmentsOf(lab, accountId))[0], await ok(readAssignment(lab, line.id)));
    await operator(lab).remove('assignments', line.id);
    await operator(lab).remove('connections', connection.id);
    await refused(readConnection(lab, connection.id), 404, 'connections.get.not-found');
    const published = ['connection.created', 'connection.activated', 'assignment.created', 'assignment.deleted', 'connection.deleted'];
    assert.deepEqual(
      await lab.published(accountId),
      published.map((type) => `experience.${type}`),
    );
  });

  test('An event says what the entity says, and later events of an entity say later, all within one millisecond', async () => {
    const { accountId, numbers } = lab.room();
    const connection = await connect(lab, 'general', accountId);
    const line = await assign(lab, 'general', number(numbers[0]));
    await operator(lab).change('connections', connection.id, { state: 'ACTIVE' });
    const active = await ok(readConnection(lab, connection.id));
    await operator(lab).remove('assignments', line.id);
    await operator(lab).remove('connections', connection.id);
    const events = await publishedWith(accountId);
    const updates = (id: string) => events.filter(({ entityId }) => entityId === id).map(({ data }) => data.updatedAt!);
    assert.deepEqual(updates(connection.id).slice(0, 2), [connection.updatedAt, active.updatedAt]);
    assert.equal(updates(line.id)[0], line.updatedAt);
    for (const id of [connection.id, line.id]) {
      assert.deepEqual(updates(id).toSorted(), updates(id));
      assert.equal(new Set(updates(id)).size, updates(id).length);
    }
    const { experienceId, experienceName, providerId } = events[0]!.data;
    assert.deepEqual([experienceId, experienceName, typeof providerId], [experience('general'), 'General', 'string']);
  });

  test('A user of an account that an Experience is assigned to is announced, and one of another account is not', async () => {
    const [told, untold] = [lab.room(), lab.room()];
    await assign(lab, 'general', account(told.accountId));
    await connect(lab, 'general', untold.accountId);
    for (const room of [told, untold]) {
      const { id } = await operator(lab).create('users', { account: room.alias });
      const { createdAt, updatedAt } = await ok(readUser(id));
      assert.equal(updatedAt, null);
      await operator(lab).remove('users', id);
      const about = (await publishedWith(room.accountId)).filter(({ entityId }) => entityId === id);
      if (room === untold) assert.deepEqual(about, []);
      else {
        assert.deepEqual(
          about.map(({ type }) => type),
          ['provisioning.user.created', 'provisioning.user.deleted'],
        );
        assert.equal(about[0]!.data.updatedAt, createdAt);
        assert.ok(about[1]!.data.updatedAt! > createdAt);
      }
    }
  });
}
