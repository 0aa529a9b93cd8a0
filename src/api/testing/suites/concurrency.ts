import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok, type Reply, tally } from '../expect.ts';
import type { Lab } from '../lab.ts';
import {
  ASSIGNMENT,
  ASSIGNMENTS,
  account,
  assign,
  assignmentsOf,
  CONNECTION,
  CONNECTIONS,
  connect,
  connectionsOf,
  experience,
  number,
  readConnection,
  user,
} from '../steps.ts';

export function othersAtOnce(lab: Lab): void {
  const api = () => lab.api('full');
  const atOnce = (count: number, request: (n: number) => Promise<Reply>) => tally(Array.from({ length: count }, (_, n) => request(n)));

  test('Of 20 creations of one assignment exactly one succeeds', async () => {
    const { accountId, numbers, users } = lab.room();
    for (const target of [number(numbers[0]), user(users[0]), account(accountId)]) {
      const body = { experienceId: experience('agent'), ...target };
      assert.deepEqual(await atOnce(20, () => api().POST(ASSIGNMENTS, { body })), { 201: 1, 409: 19 });
    }
    assert.equal((await assignmentsOf(lab, accountId)).length, 3);
    assert.equal((await lab.published(accountId)).length, 3);
  });

  test('Of 20 assignments of one number to two Experiences of type AGENT exactly one succeeds', async () => {
    const { accountId, numbers } = lab.room();
    const aliases = ['agent', 'other-agent'] as const;
    const statuses = await atOnce(20, (n) =>
      api().POST(ASSIGNMENTS, { body: { experienceId: experience(aliases[n % 2]!), ...number(numbers[0]) } }),
    );
    assert.deepEqual(statuses, { 201: 1, 409: 9, 422: 10 });
    assert.equal((await assignmentsOf(lab, accountId)).length, 1);
  });

  test('20 assignments of different Experiences to one target all succeed', async () => {
    const { accountId, numbers } = lab.room();
    const create = (n: number) => api().POST(ASSIGNMENTS, { body: { experienceId: experience(`many-${n + 1}`), ...number(numbers[0]) } });
    assert.deepEqual(await atOnce(20, create), { 201: 20 });
    const made = await assignmentsOf(lab, accountId);
    assert.equal(new Set(made.map(({ id }) => id)).size, 20);
  });

  test('Of 20 deletions of one assignment exactly one succeeds', async () => {
    const { accountId, numbers } = lab.room();
    const { id } = await assign(lab, 'general', number(numbers[0]));
    assert.deepEqual(await atOnce(20, () => api().DELETE(ASSIGNMENT, { params: { path: { assignmentId: id } } })), { 204: 1, 404: 19 });
    assert.equal((await lab.published(accountId)).length, 2);
  });

  test('Of 20 creations of one connection exactly one succeeds', async () => {
    const { accountId } = lab.room();
    const body = { accountId, experienceId: experience('general') };
    assert.deepEqual(await atOnce(20, () => api().POST(CONNECTIONS, { body })), { 201: 1, 409: 19 });
    assert.equal((await connectionsOf(lab, accountId)).length, 1);
    assert.deepEqual(await lab.published(accountId), ['experience.connection.created']);
  });

  test('Of 20 updates of one connection to the same state exactly one succeeds', async () => {
    const { accountId } = lab.room();
    const { id } = await connect(lab, 'general', accountId);
    const path = { params: { path: { experienceConnectionId: id } } };
    for (const state of ['ACTIVE', 'INACTIVE'] as const) {
      assert.deepEqual(await atOnce(20, () => api().PUT(CONNECTION, { ...path, body: { state } })), { 200: 1, 409: 19 });
    }
    assert.equal((await lab.published(accountId)).length, 3);
  });

  test('Updates back and forth leave the state and the updatedAt of the last event', async () => {
    const { accountId } = lab.room();
    const { id } = await connect(lab, 'general', accountId);
    const path = { params: { path: { experienceConnectionId: id } } };
    const states = ['ACTIVE', 'INACTIVE'] as const;
    const statuses = await atOnce(20, (n) => api().PUT(CONNECTION, { ...path, body: { state: states[n % 2]! } }));
    const rows = await lab.kit.store.db.selectFrom('events').select(['type', 'data']).where('entity_id', '=', id).execute();
    const events = rows.map(({ type, data }) => ({ type, updatedAt: (JSON.parse(data) as { updatedAt: string }).updatedAt }));
    events.sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
    assert.equal(new Set(events.map(({ updatedAt }) => updatedAt)).size, 1 + statuses[200]!);
    const now = await ok(readConnection(lab, id));
    assert.equal(events.at(-1)?.updatedAt, now.updatedAt);
    const changes = events.slice(1).map(({ type }) => type.replace('experience.connection.', ''));
    assert.deepEqual(
      changes,
      changes.map((_, n) => (n % 2 === 0 ? 'activated' : 'deactivated')),
    );
  });

  test('Of 20 deletions of one connection exactly one succeeds, and an update beside them is either before or too late', async () => {
    const { accountId } = lab.room();
    const { id } = await connect(lab, 'general', accountId);
    const path = { params: { path: { experienceConnectionId: id } } };
    const statuses = await atOnce(21, (n) =>
      n === 10 ? api().PUT(CONNECTION, { ...path, body: { state: 'ACTIVE' } }) : api().DELETE(CONNECTION, path),
    );
    assert.equal(statuses[204], 1);
    assert.equal((statuses[200] ?? 0) + (statuses[404] ?? 0), 20);
    const rows = await lab.kit.store.db.selectFrom('events').select(['type', 'data']).where('entity_id', '=', id).execute();
    const last = rows.toSorted((a, b) => (updatedAt(a) < updatedAt(b) ? -1 : 1)).at(-1);
    assert.equal(last?.type, 'experience.connection.deleted');
    assert.equal(new Set(rows.map(updatedAt)).size, rows.length);
  });

  test('A connection is never deleted over a number that was assigned before', async () => {
    for (let round = 0; round < 5; round++) {
      const { accountId, numbers } = lab.room();
      const { id } = await connect(lab, 'general', accountId);
      const [made, deleted] = await Promise.all([
        api().POST(ASSIGNMENTS, { body: { experienceId: experience('general'), ...number(numbers[0]) } }),
        api().DELETE(CONNECTION, { params: { path: { experienceConnectionId: id } } }),
      ]);
      assert.equal(made.response.status, 201);
      const order = await lab.published(accountId);
      if (deleted.response.status === 409) assert.deepEqual(order, ['experience.connection.created', 'experience.assignment.created']);
      else assert.deepEqual([deleted.response.status, order.length], [204, 3]);
    }
  });

  test('What is created while the platform deletes the account goes with it', async () => {
    const { alias, accountId, numbers } = lab.room();
    const create = (n: number) => api().POST(ASSIGNMENTS, { body: { experienceId: experience(`many-${n + 1}`), ...number(numbers[0]) } });
    const creations = Array.from({ length: 10 }, (_, n) => create(n));
    const deletion = lab.control.DELETE('/_control/state/{collection}/{id}', { params: { path: { collection: 'accounts', id: alias } } });
    const statuses = await tally(creations);
    assert.equal((await deletion).response.status, 204);
    assert.equal((statuses[201] ?? 0) + (statuses[422] ?? 0), 10);
    assert.deepEqual((await ok(lab.api('no-principal').GET(ASSIGNMENTS, { params: { query: number(numbers[0]) } }))).entities, []);
    const events = await lab.published(accountId);
    const count = (type: string) => events.filter((event) => event === type).length;
    assert.deepEqual(
      [count('experience.assignment.created'), count('experience.assignment.deleted')],
      [statuses[201] ?? 0, statuses[201] ?? 0],
    );
  });
}

function updatedAt({ data }: { data: string }): string {
  return (JSON.parse(data) as { updatedAt: string }).updatedAt;
}
