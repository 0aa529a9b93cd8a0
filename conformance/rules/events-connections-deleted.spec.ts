import { connectionEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `Deleting a connection through the API publishes experience.connection.deleted: ${state}.`,
    rule('events.connection.deleted.on-delete'),
    async ({ events, connections }) => {
      const made = await connections.make({ state });
      const inbox = await events.subscribed();
      requireSuccess('a connection that is deleted', await connections.remove(made));
      await inbox.expectEvent(connectionEvent('deleted', made.id));
    },
  );

  test(
    `Removing a connection in an end-user portal publishes experience.connection.deleted: ${state}.`,
    rule('events.connection.deleted.on-portal-removal'),
    async ({ events, connections, operator }) => {
      const [portal, { id }] = [await operator('portal.connections'), await connections.make({ state })];
      const inbox = await events.subscribed();
      await portal.remove(id);
      await inbox.expectEvent(connectionEvent('deleted', id));
    },
  );

  test(
    `A connection that the platform removes publishes experience.connection.deleted: ${state}.`,
    rule('events.connection.deleted.on-platform-removal'),
    async ({ events, connections, operator }) => {
      const [platform, { id }] = [await operator('platform.connections'), await connections.make({ state })];
      const inbox = await events.subscribed();
      await platform.remove(id);
      await inbox.expectEvent(connectionEvent('deleted', id));
    },
  );
}

test(
  'Deleting a customer account publishes experience.connection.deleted for each of its connections.',
  rule('events.connection.deleted.on-account-deletion'),
  async ({ events, connections, operator }) => {
    const accounts = await operator('platform.accounts');
    const accountId = await accounts.create();
    const made = [await connections.make({ accountId, state: 'ACTIVE' }), await connections.make({ accountId, state: 'INACTIVE' })];
    const inbox = await events.subscribed();
    await accounts.remove(accountId);
    for (const { id } of made) await inbox.expectEvent(connectionEvent('deleted', id));
  },
);

test(
  'Deleting a customer account publishes experience.connection.deleted even while telephone numbers are assigned to the Experience.',
  rule('events.connection.deleted.on-account-deletion-with-numbers'),
  async ({ events, connections, operator }) => {
    const [accounts, numbers] = [await operator('platform.accounts', 'platform.numbers'), await operator('platform.numbers')];
    const accountId = await accounts.create();
    const made = await connections.make({ accountId });
    await connections.assign(made, 'PHONE_NUMBER', await numbers.create(accountId));
    const inbox = await events.subscribed();
    await accounts.remove(accountId);
    await inbox.expectEvent(connectionEvent('deleted', made.id));
  },
);

test(
  'A deletion through the API that is refused with 409, because numbers are still assigned, publishes no experience.connection.deleted.',
  rule('events.connection.deleted.not-while-numbers-assigned'),
  async ({ need, events, connections }) => {
    const made = await connections.make({ accountId: await need('account') });
    const unassign = await connections.assign(made, 'PHONE_NUMBER', await (await need('numbers'))());
    const inbox = await events.subscribed();
    // That it is refused at all is another rule.
    if ((await connections.remove(made)).status !== 409) notTestable('a deletion that is refused with 409 while numbers are assigned');
    await inbox.expectNoEvent(connectionEvent('deleted', made.id), 'what is refused publishes nothing');
    await unassign();
    requireSuccess('a connection that is deleted', await connections.remove(made));
    await inbox.waitForEvent(connectionEvent('deleted', made.id));
  },
);
