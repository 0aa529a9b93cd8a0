import { expectSilence, newEvents } from '../actors/silence.ts';
import { connectionEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `Creating a connection through the API publishes experience.connection.created: ${state}.`,
    rule('events.connection.created.on-create'),
    async ({ events, connections }) => {
      const inbox = await events.subscribed();
      const { id } = await connections.make({ state });
      await inbox.expectEvent(connectionEvent('created', id));
    },
  );

  for (const [place, id, title] of [
    ['portal.connections', 'events.connection.created.on-portal-create', 'Creating a connection in an end-user portal'],
    ['platform.connections', 'events.connection.created.on-platform-create', 'A connection that the platform creates'],
  ] as const) {
    test(`${title} publishes experience.connection.created: ${state}.`, rule(id), async ({ events, connections, operator }) => {
      const [actions, inbox] = [await operator(place), await events.subscribed()];
      const connectionId = await actions.create(await connections.pair(), state);
      await inbox.expectEvent(connectionEvent('created', connectionId));
    });
  }

  test(
    `Deleting a connection through the API publishes experience.connection.deleted: ${state}.`,
    rule('events.connection.deleted.on-delete'),
    async ({ events, connections }) => {
      const connection = await connections.make({ state });
      const inbox = await events.subscribed();
      requireSuccess('a connection that is deleted', await connections.remove(connection));
      await inbox.expectEvent(connectionEvent('deleted', connection.id));
    },
  );

  for (const [place, id, title] of [
    ['portal.connections', 'events.connection.deleted.on-portal-removal', 'Removing a connection in an end-user portal'],
    ['platform.connections', 'events.connection.deleted.on-platform-removal', 'A connection that the platform removes'],
  ] as const) {
    test(`${title} publishes experience.connection.deleted: ${state}.`, rule(id), async ({ events, connections, operator }) => {
      const [actions, connection] = [await operator(place), await connections.make({ state })];
      const inbox = await events.subscribed();
      await actions.remove(connection.id);
      await inbox.expectEvent(connectionEvent('deleted', connection.id));
    });
  }
}

test(
  'Deleting a customer account publishes experience.connection.deleted for each of its connections.',
  rule('events.connection.deleted.on-account-deletion'),
  async ({ events, connections, operator }) => {
    const accounts = await operator('platform.accounts');
    const accountId = await accounts.create();
    const created = [await connections.make({ accountId, state: 'ACTIVE' }), await connections.make({ accountId, state: 'INACTIVE' })];
    const inbox = await events.subscribed();
    await accounts.remove(accountId);
    for (const { id } of created) await inbox.expectEvent(connectionEvent('deleted', id));
  },
);

test(
  'Deleting a customer account publishes experience.connection.deleted even while telephone numbers are assigned to the Experience.',
  rule('events.connection.deleted.on-account-deletion-with-numbers'),
  async ({ events, connections, operator }) => {
    const [accounts, numbers] = [await operator('platform.accounts', 'platform.numbers'), await operator('platform.numbers')];
    const accountId = await accounts.create();
    const connection = await connections.make({ accountId });
    await connections.assign(connection, 'PHONE_NUMBER', await numbers.create(accountId));
    const inbox = await events.subscribed();
    await accounts.remove(accountId);
    await inbox.expectEvent(connectionEvent('deleted', connection.id));
  },
);

test(
  'A deletion through the API that gets 409, because numbers are still assigned, publishes no experience.connection.deleted.',
  rule('events.connection.deleted.not-while-numbers-assigned'),
  async ({ need, events, connections }) => {
    const connection = await connections.make({ accountId: await need('account') });
    const unassign = await connections.assign(connection, 'PHONE_NUMBER', await (await need('numbers'))());
    const inbox = await events.subscribed();
    // Another rule demands the 409.
    const { status } = await connections.remove(connection);
    if (status !== 409) notTestable('a deletion that is refused with 409 while numbers are assigned');
    await inbox.expectNoEvent(connectionEvent('deleted', connection.id), 'a refused deletion publishes nothing');
    await unassign();
    requireSuccess('a connection that is deleted', await connections.remove(connection));
    await inbox.waitForEvent(connectionEvent('deleted', connection.id));
  },
);

for (const [state, before, event, notAgain] of [
  ['ACTIVE', 'INACTIVE', 'activated', 'events.connection.activated.not-when-already-active'],
  ['INACTIVE', 'ACTIVE', 'deactivated', 'events.connection.deactivated.not-when-already-inactive'],
] as const) {
  const type = `experience.connection.${event}` as const;

  test(
    `An update through the API that makes a connection ${state} publishes ${type}.`,
    rule(`events.connection.${event}.on-update`),
    async ({ events, connections }) => {
      const connection = await connections.make({ state: before });
      const inbox = await events.subscribed();
      requireSuccess(`a connection that becomes ${state}`, await connections.update(connection, state));
      await inbox.expectEvent(connectionEvent(event, connection.id));
    },
  );

  test(
    `An update through the API that makes a connection ${state} publishes ${type}: every time.`,
    rule(`events.connection.${event}.on-update`),
    async ({ events, connections }) => {
      const inbox = await events.subscribed();
      const connection = await connections.make({ state: before });
      const match = connectionEvent(event, connection.id);
      await connections.setState(connection, state);
      await inbox.waitForEvent(match);
      await connections.setState(connection, before);
      // Not a repeat of the first event.
      const isNew = newEvents(inbox);
      requireSuccess(`a connection that becomes ${state}`, await connections.update(connection, state));
      await inbox.until(() => inbox.matching(match).find(isNew), `${type} is delivered for the second update, with its own webhook-id`);
    },
  );

  for (const [place, cause, title] of [
    ['portal.connections', 'on-portal-action', `An action in an end-user portal that makes a connection ${state}`],
    ['platform.connections', 'on-platform-change', `A connection that the platform makes ${state}`],
  ] as const) {
    test(`${title} publishes ${type}.`, rule(`events.connection.${event}.${cause}`), async ({ events, connections, operator }) => {
      const [actions, connection] = [await operator(place), await connections.make({ state: before })];
      const inbox = await events.subscribed();
      await actions.update(connection.id, state);
      await inbox.expectEvent(connectionEvent(event, connection.id));
    });
  }

  test(
    `An update that requests ${state} for a connection that is ${state} publishes no ${type}.`,
    rule(notAgain),
    async ({ events, connections }) => {
      const inbox = await events.subscribed();
      const connection = await connections.make({ state: before });
      await connections.setState(connection, state);
      await inbox.waitForEvent(connectionEvent(event, connection.id));
      const unwanted = [{ type, ids: [connection.id], isOwn: true } as const];
      // Another rule demands the status.
      await expectSilence(inbox, unwanted, () => connections.update(connection, state), 'an update that changes nothing publishes nothing');
    },
  );
}
