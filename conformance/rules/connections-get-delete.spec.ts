import { randomUUID } from 'node:crypto';
import { isConnection, type ShownConnection } from '../expect/connection.ts';
import { expectEffect, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';

const GET = 'getExperienceConnection';
const DELETE = 'deleteExperienceConnection';

const withoutScope = async (need: Need) => (await need('token.without-scope'))['experience-connections:manage'];

const STATES = ['ACTIVE', 'INACTIVE'] as const;
const MISSING = [
  ['its id is a UUID', randomUUID()],
  ['its id is no UUID', 'no-such-connection'],
] as const;

test('The fields of a connection have the types of the table.', rule('connections.get.shape'), async ({ connections }) => {
  const connection = await connections.make();
  const answer = await connections.read(connection);
  must(isConnection(expectSuccess<ShownConnection>(GET, answer, 200), connection), 'it is the connection asked for', answer);
});

test('The fields of a connection have the types of the table: after an update.', rule('connections.get.shape'), async ({ connections }) => {
  const connection = await connections.make({ state: 'INACTIVE' });
  expectSuccess('updateExperienceConnection', await connections.update(connection, 'ACTIVE'));
  const answer = await connections.read(connection);
  must(isConnection(expectSuccess<ShownConnection>(GET, answer, 200), connection), 'it is the connection asked for', answer);
});

test('Reading a connection needs the scope.', rule('connections.get.scope'), async ({ need, connections }) => {
  const connection = await connections.make();
  expectSuccess(GET, await connections.read(connection), 200);
  expectStatus(await connections.read(connection, { token: await withoutScope(need) }), 401, 403);
});

for (const [variant, id] of MISSING) {
  test(`A connection that is missing gets 404: ${variant}.`, rule('connections.get.not-found'), async ({ connections }) => {
    const connection = await connections.make();
    expectSuccess(GET, await connections.read(connection), 200);
    expectStatus(await connections.read({ ...connection, id }), 404);
  });
}

test('A connection that the caller has no access to gets 404.', rule('connections.get.not-found'), async ({ need, connections }) => {
  const connection = await connections.make();
  expectSuccess(GET, await connections.read(connection), 200);
  expectStatus(await connections.read(connection, { token: await need('token.outsider') }), 404);
});

const CAN_BE_DELETED = 'A connection with no telephone numbers assigned to its Experience can be deleted';

for (const state of STATES) {
  test(`${CAN_BE_DELETED}: it is ${state}.`, rule('connections.delete.deleted'), async ({ connections }) => {
    expectSuccess(DELETE, await connections.remove(await connections.make({ state })));
  });
}

test(`${CAN_BE_DELETED}: the assignment of a number was removed.`, rule('connections.delete.deleted'), async ({ need, connections }) => {
  const connection = await connections.make({ accountId: await need('account') });
  const unassign = await connections.assign(connection, 'PHONE_NUMBER', await (await need('numbers'))());
  expectStatus(await connections.remove(connection), 409);
  await unassign();
  expectSuccess(DELETE, await connections.remove(connection));
});

test(`${CAN_BE_DELETED}: a number is assigned to another one.`, rule('connections.delete.deleted'), async ({ need, connections }) => {
  const accountId = await need('account');
  const [connection, other] = [await connections.make({ accountId }), await connections.make({ accountId })];
  await connections.assign(other, 'PHONE_NUMBER', await (await need('numbers'))());
  expectSuccess(DELETE, await connections.remove(connection));
});

test('A deleted connection can no longer be read or listed.', rule('connections.delete.gone'), async ({ connections }) => {
  const connection = await connections.make();
  const query = { accountId: connection.accountId };
  await connections.expectListed(query, connection);
  const answer = await connections.remove(connection);
  expectSuccess(DELETE, answer);
  await expectEffect(answer, async () => {
    expectStatus(await connections.read(connection), 404);
    await connections.expectNotListed(query, connection);
  });
});

test('Deleting a connection needs the scope.', rule('connections.delete.scope'), async ({ need, connections }) => {
  const connection = await connections.make();
  expectStatus(await connections.remove(connection, { token: await withoutScope(need) }), 401, 403);
  expectSuccess(DELETE, await connections.remove(connection));
});

test(
  'A caller that may read the connection but not delete it gets 403.',
  rule('connections.delete.read-only'),
  async ({ need, connections }) => {
    const [connection, token] = [await connections.make(), await need('token.reader')];
    expectSuccess(GET, await connections.read(connection, { token }), 200);
    expectStatus(await connections.remove(connection, { token }), 403);
    expectSuccess(DELETE, await connections.remove(connection));
  },
);

for (const [variant, id] of MISSING) {
  test(`Deleting a connection that is missing gets 404: ${variant}.`, rule('connections.delete.not-found'), async ({ connections }) => {
    const connection = await connections.make();
    expectStatus(await connections.remove({ ...connection, id }), 404);
    expectSuccess(DELETE, await connections.remove(connection));
  });
}

test('Deleting a connection that is already deleted gets 404.', rule('connections.delete.not-found'), async ({ connections }) => {
  const connection = await connections.make();
  const answer = await connections.remove(connection);
  expectSuccess(DELETE, answer);
  await expectEffect(answer, async () => expectStatus(await connections.remove(connection), 404));
});

test(
  'Deleting a connection that the caller has no access to gets 404.',
  rule('connections.delete.not-found'),
  async ({ need, connections }) => {
    const connection = await connections.make();
    expectStatus(await connections.remove(connection, { token: await need('token.outsider') }), 404);
    expectSuccess(DELETE, await connections.remove(connection));
  },
);

for (const state of STATES) {
  test(
    `While telephone numbers are assigned to its Experience, deleting a connection gets 409: it is ${state}.`,
    rule('connections.delete.numbers-assigned'),
    async ({ need, connections }) => {
      const connection = await connections.make({ accountId: await need('account'), state });
      const unassign = await connections.assign(connection, 'PHONE_NUMBER', await (await need('numbers'))());
      expectStatus(await connections.remove(connection), 409);
      await unassign();
      expectSuccess(DELETE, await connections.remove(connection));
    },
  );
}

test('After that 409 the connection is unchanged.', rule('connections.delete.refused-changes-nothing'), async ({ need, connections }) => {
  const connection = await connections.make({ accountId: await need('account') });
  await connections.assign(connection, 'PHONE_NUMBER', await (await need('numbers'))());
  const before = await connections.snapshot(connection);
  expectStatus(await connections.remove(connection), 409);
  await connections.expectUnchanged(connection, before);
});

for (const targetType of ['ACCOUNT', 'USER'] as const) {
  test(
    `Assignments of the account or of its users do not prevent the deletion: ${targetType}.`,
    rule('connections.delete.only-numbers-block'),
    async ({ need, connections }) => {
      const connection = await connections.make({ accountId: await need('account') });
      await connections.assign(connection, targetType, targetType === 'USER' ? await (await need('users'))() : connection.accountId);
      expectSuccess(DELETE, await connections.remove(connection));
    },
  );
}
