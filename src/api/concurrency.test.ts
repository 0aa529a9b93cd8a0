import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASSIGNMENTS, CONNECTIONS, countStatuses, onBothEngines, type Reply } from '../testing/api-kit.ts';
import { createAccountTarget, createNumberTarget, createUserTarget, getExperienceId } from './testing/world.ts';

onBothEngines('concurrent requests', (api) => {
  const sendTwentyTimes = (request: (index: number) => Promise<Reply>) =>
    countStatuses(Array.from({ length: 20 }, (_, index) => request(index)));
  const assignMany = (index: number, targetValue: string) =>
    api.send('POST', ASSIGNMENTS, { body: { experienceId: getExperienceId(`many-${index + 1}`), ...createNumberTarget(targetValue) } });
  const listEntities = async (path: string, accountId: string) => (await api.send('GET', `${path}?accountId=${accountId}`)).body.entities;
  const listEventTypes = async (accountId: string) => (await api.listPublishedEvents(accountId)).map(({ type }) => type);

  test('If 20 requests create the same assignment, only one succeeds', async () => {
    const { accountId, numbers, users } = api.getUnusedAccount();
    for (const target of [createNumberTarget(numbers[0]), createUserTarget(users[0]), createAccountTarget(accountId)]) {
      const body = { experienceId: getExperienceId('agent'), ...target };
      assert.deepEqual(await sendTwentyTimes(() => api.send('POST', ASSIGNMENTS, { body })), { 201: 1, 409: 19 });
    }
    assert.equal((await listEntities(ASSIGNMENTS, accountId)).length, 3);
    assert.equal((await listEventTypes(accountId)).length, 3);
  });

  test('If 20 requests assign a telephone number to two AGENT Experiences, only one assignment is created', async () => {
    const { accountId, numbers } = api.getUnusedAccount();
    const ids = [getExperienceId('agent'), getExperienceId('other-agent')];
    const statuses = await sendTwentyTimes((n) =>
      api.send('POST', ASSIGNMENTS, { body: { experienceId: ids[n % 2], ...createNumberTarget(numbers[0]) } }),
    );
    assert.deepEqual(statuses, { 201: 1, 409: 9, 422: 10 });
    assert.equal((await listEntities(ASSIGNMENTS, accountId)).length, 1);
  });

  test('If 20 requests assign different Experiences to one target, all succeed, with different ids', async () => {
    const { accountId, numbers } = api.getUnusedAccount();
    assert.deepEqual(await sendTwentyTimes((n) => assignMany(n, numbers[0])), { 201: 20 });
    assert.equal(new Set((await listEntities(ASSIGNMENTS, accountId)).map(({ id }) => id)).size, 20);
  });

  test('If 20 requests delete the same assignment, only one succeeds and publishes an event', async () => {
    const { accountId, numbers } = api.getUnusedAccount();
    const { id } = await api.assign('general', createNumberTarget(numbers[0]));
    assert.deepEqual(await sendTwentyTimes(() => api.send('DELETE', `${ASSIGNMENTS}/${id}`)), { 204: 1, 404: 19 });
    assert.deepEqual(await listEventTypes(accountId), ['experience.assignment.created', 'experience.assignment.deleted']);
  });

  test('If 20 requests create the same connection, only one succeeds', async () => {
    const { accountId } = api.getUnusedAccount();
    const body = { accountId, experienceId: getExperienceId('general') };
    assert.deepEqual(await sendTwentyTimes(() => api.send('POST', CONNECTIONS, { body })), { 201: 1, 409: 19 });
    assert.equal((await listEntities(CONNECTIONS, accountId)).length, 1);
    assert.deepEqual(await listEventTypes(accountId), ['experience.connection.created']);
  });

  test('If 20 requests set a connection to the same state, only one succeeds', async () => {
    const { accountId } = api.getUnusedAccount();
    const { id } = await api.connect('general', accountId);
    for (const state of ['ACTIVE', 'INACTIVE']) {
      assert.deepEqual(await sendTwentyTimes(() => api.send('PUT', `${CONNECTIONS}/${id}`, { body: { state } })), { 200: 1, 409: 19 });
    }
    assert.equal((await listEventTypes(accountId)).length, 3);
  });

  test('After concurrent updates to ACTIVE and INACTIVE, the connection has the state and updatedAt of its last event', async () => {
    const { accountId } = api.getUnusedAccount();
    const { id } = await api.connect('general', accountId);
    const states = ['ACTIVE', 'INACTIVE'];
    const statuses = await sendTwentyTimes((n) => api.send('PUT', `${CONNECTIONS}/${id}`, { body: { state: states[n % 2] } }));
    const events = (await api.listPublishedEvents(accountId)).toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
    assert.equal(new Set(events.map(({ updatedAt }) => updatedAt)).size, 1 + (statuses[200] ?? 0));
    assert.equal((await api.send('GET', `${CONNECTIONS}/${id}`)).body.updatedAt, events.at(-1)?.updatedAt);
    const changes = events.slice(1).map(({ type }) => type);
    const alternating = changes.map((_, n) => `experience.connection.${n % 2 === 0 ? 'activated' : 'deactivated'}`);
    assert.deepEqual(changes, alternating);
  });

  test("If 20 requests delete the same connection, only one succeeds, and the connection's last event is the deletion", async () => {
    const { accountId } = api.getUnusedAccount();
    const { id } = await api.connect('general', accountId);
    const update = api.send('PUT', `${CONNECTIONS}/${id}`, { body: { state: 'ACTIVE' } });
    assert.deepEqual(await sendTwentyTimes(() => api.send('DELETE', `${CONNECTIONS}/${id}`)), { 204: 1, 404: 19 });
    assert.ok([200, 404].includes((await update).status));
    const events = (await api.listPublishedEvents(accountId)).toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
    assert.equal(events.at(-1)?.type, 'experience.connection.deleted');
    assert.equal(new Set(events.map(({ updatedAt }) => updatedAt)).size, events.length);
  });

  test('Deleting a connection is refused if a concurrent request assigns a telephone number first', async () => {
    for (let round = 0; round < 5; round++) {
      const { accountId, numbers } = api.getUnusedAccount();
      const { id } = await api.connect('general', accountId);
      const [, deleted] = await Promise.all([
        api.assign('general', createNumberTarget(numbers[0])),
        api.send('DELETE', `${CONNECTIONS}/${id}`),
      ]);
      const types = await listEventTypes(accountId);
      if (deleted.status === 409) assert.deepEqual(types, ['experience.connection.created', 'experience.assignment.created']);
      else assert.deepEqual([deleted.status, types.length], [204, 3]);
    }
  });

  test('Deleting an account also deletes assignments that are created at the same time', async () => {
    const { alias, accountId, numbers } = api.getUnusedAccount();
    const creations = sendTwentyTimes((n) => assignMany(n, numbers[0]));
    await api.control('DELETE', `/state/accounts/${alias}`);
    const { 201: created = 0, 422: refused = 0 } = await creations;
    assert.equal(created + refused, 20);
    const query = `targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(numbers[0])}`;
    assert.deepEqual((await api.send('GET', `${ASSIGNMENTS}?${query}`, { token: 'no-principal' })).body.entities, []);
    const types = await listEventTypes(accountId);
    const countAssignments = (type: string) => types.filter((each) => each === type).length;
    assert.deepEqual(
      [countAssignments('experience.assignment.created'), countAssignments('experience.assignment.deleted')],
      [created, created],
    );
  });
});
