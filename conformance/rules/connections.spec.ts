import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { type Connections, toggleState } from '../actors/connections.ts';
import { type ConnectionInResponse, collectValues, isConnection } from '../expect/connection.ts';
import { expectEffect, expectStatus, expectSuccess, expectSuccessAndEffect, expectSuccessStatus } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const STATES = ['ACTIVE', 'INACTIVE'] as const;

async function expectCreated(connections: Connections) {
  const pair = await connections.pickPair();
  const answer = await connections.create(pair);
  expectSuccess(answer);
  return { answer, connection: await connections.findCreated(answer, pair) };
}

test(...rule('connections.create.success'), async ({ connections }) => {
  const { answer, connection } = await expectCreated(connections);
  // The status alone does not prove that the connection was created.
  await expectEffect(answer, async () => {
    const read = await connections.read(connection);
    must(isConnection(expectSuccess<ConnectionInResponse>(read, 200), connection), 'the connection exists', read);
  });
});

test(...rule('connections.create.listed'), async ({ connections }) => {
  const { answer, connection } = await expectCreated(connections);
  await expectEffect(answer, () => connections.expectReadAndListed(connection));
});

test(...rule('connections.create.state'), async ({ connections }) => {
  const { answer, connection } = await expectCreated(connections);
  // The schema allows only ACTIVE and INACTIVE, so check only that there is a state.
  await expectEffect(answer, async () => collectValues(await connections.expectReadAndListed(connection), 'state'));
});

test(...rule('connections.get.account-name'), async ({ connections }) => {
  const connection = await connections.createOrThrow({ state: 'INACTIVE' });
  const readNames = async () => collectValues(await connections.expectReadAndListed(connection), 'accountName');
  const [name, ...others] = await readNames();
  await connections.setState(connection, 'ACTIVE');
  for (const other of [...others, ...(await readNames())])
    must(other === name, `accountName is ${name} in each response, before and after a change of state, not ${other}`);
});

test(...rule('connections.create.again'), async ({ connections }) => {
  const { id, ...pair } = await connections.createOrThrow();
  await expectSuccessAndEffect(await connections.remove({ id }), async () => {
    const answer = await connections.create(pair);
    expectSuccess(answer);
    must(!isSameId((await connections.findCreated(answer, pair)).id, id), 'the new connection has a new id', answer);
  });
});

test(...rule('connections.create.exists'), async ({ connections }) => {
  const pair = await connections.pickPair();
  const answer = await connections.create(pair);
  expectSuccessStatus(answer);
  await expectEffect(answer, async () => expectStatus(await connections.create(pair), 409));
});

test(...rule('connections.create.refused-changes-nothing'), async ({ connections }) => {
  const existing = await connections.createOrThrow();
  const { accountId, experienceId } = existing;
  const before = await connections.snapshot(existing);
  expectStatus(await connections.create(existing), 409);
  await connections.expectUnchanged(existing, before);
  await connections.expectListed({ accountId, experienceId }, existing);
});

test(...rule('connections.get.shape'), async ({ connections }) => {
  const connection = await connections.createOrThrow();
  const answer = await connections.read(connection);
  must(isConnection(expectSuccess<ConnectionInResponse>(answer, 200), connection), 'the response shows the requested connection', answer);
});

for (const [id, state] of [
  ['connections.update.activates', 'ACTIVE'],
  ['connections.update.deactivates', 'INACTIVE'],
] as const) {
  test(...rule(id), async ({ connections }) => {
    const connection = await connections.createOrThrow({ state: toggleState(state) });
    const answer = await connections.update(connection, state);
    expectSuccess(answer);
    await expectEffect(answer, async () => {
      for (const shown of collectValues(await connections.expectReadAndListed(connection), 'state'))
        must(shown === state, `the connection is ${state} after the update, not ${shown}`, answer);
    });
  });

  test(...rule('connections.update.same-state', state), async ({ connections }) => {
    const connection = await connections.createOrThrow({ state });
    expectStatus(await connections.update(connection, state), 409);
    expectSuccess(await connections.update(connection, toggleState(state)));
  });

  test(...rule('connections.update.same-state-unchanged', state), async ({ connections }) => {
    const connection = await connections.createOrThrow({ state });
    const before = await connections.snapshot(connection);
    expectStatus(await connections.update(connection, state), 409);
    await connections.expectUnchanged(connection, before);
  });
}

for (const state of STATES) {
  test(...rule('connections.delete.deleted', `the connection is ${state}`), async ({ connections }) => {
    expectSuccess(await connections.remove(await connections.createOrThrow({ state })));
  });

  test(...rule('connections.delete.numbers-assigned', `the connection is ${state}`), async ({ need, connections }) => {
    const connection = await connections.createOrThrow({ accountId: await need('account'), state });
    const unassign = await connections.assign(connection, 'PHONE_NUMBER', await (await need('numbers'))());
    expectStatus(await connections.remove(connection), 409);
    await unassign();
    expectSuccess(await connections.remove(connection));
  });
}

for (const targetType of ['ACCOUNT', 'USER'] as const) {
  test(...rule('connections.delete.only-numbers-block', targetType), async ({ need, connections }) => {
    const connection = await connections.createOrThrow({ accountId: await need('account') });
    await connections.assign(connection, targetType, targetType === 'USER' ? await (await need('users'))() : connection.accountId);
    expectSuccess(await connections.remove(connection));
  });
}

test(...rule('connections.delete.refused-changes-nothing'), async ({ need, connections }) => {
  const connection = await connections.createOrThrow({ accountId: await need('account') });
  await connections.assign(connection, 'PHONE_NUMBER', await (await need('numbers'))());
  const before = await connections.snapshot(connection);
  expectStatus(await connections.remove(connection), 409);
  await connections.expectUnchanged(connection, before);
});

test(...rule('connections.delete.gone'), async ({ connections }) => {
  const connection = await connections.createOrThrow();
  await expectSuccessAndEffect(await connections.remove(connection), async () => expectStatus(await connections.read(connection), 404));
});

test(...rule('connections.delete.unlisted'), async ({ connections }) => {
  const connection = await connections.createOrThrow();
  const query = { accountId: connection.accountId };
  await connections.expectListed(query, connection);
  await expectSuccessAndEffect(await connections.remove(connection), () => connections.expectNotListed(query, connection));
});

test(...rule('connections.delete.not-found', 'a connection that is already deleted'), async ({ connections }) => {
  const connection = await connections.createOrThrow();
  await expectSuccessAndEffect(await connections.remove(connection), async () => expectStatus(await connections.remove(connection), 404));
});
