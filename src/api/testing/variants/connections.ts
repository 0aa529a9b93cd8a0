import assert from 'node:assert/strict';
import { ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { account, assignmentsOf, CONNECTION, CONNECTIONS, connect, experience, number, readConnection, user } from '../steps.ts';
import { idOf, NOBODY } from '../world.ts';
import { deleted } from './requests.ts';
import { assigned, byStatus, numberless, type Variants } from './variant.ts';

const path = (experienceConnectionId: string) => ({ params: { path: { experienceConnectionId } } });
const statusOfDeletion = async (lab: Lab, id: string) => (await lab.api('full').DELETE(CONNECTION, path(id))).response.status;
const created = async (lab: Lab, state: 'ACTIVE' | 'INACTIVE') => {
  const { accountId } = await numberless(lab, state);
  return (await lab.published(accountId)).map((type) => type.replace('experience.connection.', ''));
};
const deletedActive = async (lab: Lab) => {
  const { accountId, connection } = await numberless(lab, 'ACTIVE');
  const before = (await lab.published(accountId)).length;
  await statusOfDeletion(lab, connection.id);
  return (await lab.published(accountId)).slice(before).map((type) => type.replace('experience.connection.', ''));
};
const initialState = (state: string) => async (lab: Lab) => assert.equal((await numberless(lab)).connection.state, state);
/** A connection whose Experience has a number of another account alone. */
const beside = async (lab: Lab, alias: 'many-70' | 'many-71') => {
  const other = lab.room();
  await ok(assigned(lab, alias, number(other.numbers[0]), other.accountId));
  return statusOfDeletion(lab, (await connect(lab, alias, lab.room().accountId)).id);
};
const leftOver = async (lab: Lab) => {
  const { accountId, users, connection } = await numberless(lab);
  await ok(assigned(lab, 'many-90', account(accountId), accountId));
  await ok(assigned(lab, 'many-90', user(users[0]), accountId));
  await statusOfDeletion(lab, connection.id);
  return (await assignmentsOf(lab, accountId)).length;
};

/** Open points of connections. */
export const ofConnections = {
  'connections.malformed-body': byStatus([400, 422], async (lab, status) => {
    const { connection } = await numberless(lab);
    for (const body of ['null', '[]', '7']) {
      await refused(lab.send('POST', CONNECTIONS, { token: 'full', body }), status, 'connections.malformed-body');
      await refused(lab.send('PUT', `${CONNECTIONS}/${connection.id}`, { token: 'full', body }), status, 'connections.malformed-body');
    }
    await refused(lab.send('PUT', `${CONNECTIONS}/${connection.id}`, { token: 'full', body: '{' }), 400, 'connections.update.malformed');
  }),
  'connections.create.status': byStatus([201, 200, 202], (lab, status) =>
    ok(lab.api('full').POST(CONNECTIONS, { body: { accountId: lab.room().accountId, experienceId: experience('general') } }), status),
  ),
  'connections.create.initial-state': { INACTIVE: initialState('INACTIVE'), ACTIVE: initialState('ACTIVE') },
  'connections.create.activated-event': {
    no: async (lab) => assert.deepEqual(await created(lab, 'ACTIVE'), ['created']),
    yes: async (lab) => assert.deepEqual(await created(lab, 'ACTIVE'), ['created', 'activated']),
  },
  'connections.create.deactivated-event': {
    no: async (lab) => assert.deepEqual(await created(lab, 'INACTIVE'), ['created']),
    yes: async (lab) => assert.deepEqual(await created(lab, 'INACTIVE'), ['created', 'deactivated']),
  },
  'connections.create.unknown-account-or-experience': byStatus([422, 403, 404], async (lab, status) => {
    const { accountId } = lab.room();
    const unknown = [
      { experienceId: NOBODY },
      { experienceId: experience('hidden') },
      { accountId: NOBODY },
      { accountId: idOf('accounts', 'hidden') },
    ];
    for (const change of unknown) {
      const body = { accountId, experienceId: experience('general'), ...change };
      await refused(lab.api('full').POST(CONNECTIONS, { body }), status, 'connections.create.unknown-account-or-experience');
    }
  }),
  'connections.update.status': byStatus([200, 204, 202], async (lab, status) => {
    const { connection } = await numberless(lab, 'INACTIVE');
    const { data, response } = await lab.api('full').PUT(CONNECTION, { ...path(connection.id), body: { state: 'ACTIVE' } });
    assert.equal(response.status, status);
    const now = await ok(readConnection(lab, connection.id));
    assert.equal(now.state, 'ACTIVE');
    if (status !== 204) assert.deepEqual(data, now);
  }),
  'connections.update.missing-field': byStatus([422, 400], async (lab, status) => {
    const { connection } = await numberless(lab);
    await refused(
      lab.send('PUT', `${CONNECTIONS}/${connection.id}`, { token: 'full', body: {} }),
      status,
      'connections.update.missing-field',
    );
  }),
  'connections.delete.status': byStatus([204, 200, 202], async (lab, status) => {
    const { connection } = await numberless(lab);
    await deleted(lab, connection.id, status);
    await refused(readConnection(lab, connection.id), 404, 'connections.get.not-found');
  }),
  'connections.delete.blocking-numbers': {
    account: async (lab) => assert.notEqual(await beside(lab, 'many-70'), 409),
    experience: async (lab) => assert.equal(await beside(lab, 'many-71'), 409),
  },
  'connections.delete.other-assignments': {
    kept: async (lab) => assert.equal(await leftOver(lab), 2),
    removed: async (lab) => assert.equal(await leftOver(lab), 0),
  },
  'events.connection.deleted.deactivated-first': {
    no: async (lab) => assert.deepEqual(await deletedActive(lab), ['deleted']),
    yes: async (lab) => assert.deepEqual(await deletedActive(lab), ['deactivated', 'deleted']),
  },
} as const satisfies Variants;
