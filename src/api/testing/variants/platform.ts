import assert from 'node:assert/strict';
import { ok } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { account, connect, number, readConnection } from '../steps.ts';
import { assigned, numberless, type Variants } from './variant.ts';

const named = (collection: 'connections' | 'accounts', id: string) => ({ params: { path: { collection, id } } });
const askForPresentState = async (lab: Lab) => {
  const { connection, accountId } = await numberless(lab);
  const published = await lab.published(accountId);
  const body = { state: connection.state } as never;
  const { response } = await lab.control.PATCH('/_control/state/{collection}/{id}', { ...named('connections', connection.id), body });
  assert.deepEqual(await ok(readConnection(lab, connection.id)), connection);
  assert.deepEqual(await lab.published(accountId), published);
  return response.status;
};
const removeWithNumbers = async (lab: Lab) => {
  const { accountId, numbers } = lab.room();
  const { id } = await connect(lab, 'many-60', accountId);
  await ok(assigned(lab, 'many-60', number(numbers[0]), accountId));
  return (await lab.control.DELETE('/_control/state/{collection}/{id}', named('connections', id))).response.status;
};
const createUser = async (lab: Lab, alias: string) => {
  const { error } = await lab.control.POST('/_control/state/{collection}', {
    params: { path: { collection: 'users' } },
    body: { account: alias } as never,
  });
  assert.equal(error, undefined);
};
const provisioned = async (lab: Lab, accountId: string) =>
  (await lab.published(accountId)).filter((type) => type.startsWith('provisioning.'));

/** A user is created in an account that is connected, and in one to which the Experience is assigned, if that can be without a connection. */
const toldOfConnected = async (lab: Lab) => {
  const { accountId, alias } = await numberless(lab);
  await createUser(lab, alias);
  return (await provisioned(lab, accountId)).length;
};
/** Connected with and assigned to by two Experiences of one provider. */
const related = async (lab: Lab) => {
  const room = lab.room();
  for (const experience of ['agent', 'general'] as const) await ok(assigned(lab, experience, account(room.accountId), room.accountId));
  return room;
};
const toldOfTwo = async (lab: Lab) => {
  const { accountId, alias } = await related(lab);
  await createUser(lab, alias);
  return (await provisioned(lab, accountId)).length;
};
const toldOfDeletedAccount = async (lab: Lab) => {
  const { accountId, alias } = await related(lab);
  const { response } = await lab.control.DELETE('/_control/state/{collection}/{id}', named('accounts', alias));
  assert.equal(response.status, 204);
  return (await provisioned(lab, accountId)).filter((type) => type === 'provisioning.user.deleted').length;
};

/** Open points of what happens in an end-user portal and on the platform. */
export const ofPlatform = {
  'portal.same-state': {
    refused: async (lab) => assert.equal(await askForPresentState(lab), 409),
    'no-op': async (lab) => assert.equal(await askForPresentState(lab), 200),
  },
  'portal.delete-with-numbers': {
    allowed: async (lab) => assert.equal(await removeWithNumbers(lab), 204),
    refused: async (lab) => assert.equal(await removeWithNumbers(lab), 409),
  },
  'provisioning.assigned-means': {
    'account-assignment': async (lab) => assert.equal(await toldOfConnected(lab), 0),
    connection: async (lab) => assert.equal(await toldOfConnected(lab), 1),
  },
  'provisioning.several-experiences': {
    'one-each': async (lab) => assert.equal(await toldOfTwo(lab), 2),
    one: async (lab) => assert.equal(await toldOfTwo(lab), 1),
  },
  'provisioning.account-deleted': {
    sent: async (lab) => assert.ok((await toldOfDeletedAccount(lab)) >= 2),
    'not-sent': async (lab) => assert.equal(await toldOfDeletedAccount(lab), 0),
  },
} as const satisfies Variants;
