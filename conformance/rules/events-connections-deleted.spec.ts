import { hears } from '../expect/hears.ts';
import { granted } from '../expect/observed.ts';
import { ofConnection } from '../expect/wanted.ts';
import { test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';
import { notTestable } from '../target/not-testable.ts';

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `Deleting a connection through the API publishes experience.connection.deleted: ${state}.`,
    rule('events.connection.deleted.on-delete'),
    async ({ events, connections }) => {
      const made = await connections.make({ state });
      const inbox = await events.subscribed();
      granted('a connection that is deleted', await connections.remove(made));
      await inbox.event(ofConnection('deleted', made.id));
    },
  );

  test(
    `Removing a connection in an end-user portal publishes experience.connection.deleted: ${state}.`,
    rule('events.connection.deleted.on-portal-removal'),
    async ({ events, connections, elsewhere }) => {
      const [portal, { id }] = [await elsewhere('portal.connections'), await connections.make({ state })];
      const inbox = await events.subscribed();
      await portal.remove(id);
      await inbox.event(ofConnection('deleted', id));
    },
  );

  test(
    `A connection that the platform removes publishes experience.connection.deleted: ${state}.`,
    rule('events.connection.deleted.on-platform-removal'),
    async ({ events, connections, elsewhere }) => {
      const [platform, { id }] = [await elsewhere('platform.connections'), await connections.make({ state })];
      const inbox = await events.subscribed();
      await platform.remove(id);
      await inbox.event(ofConnection('deleted', id));
    },
  );
}

test(
  'Deleting a customer account publishes experience.connection.deleted for each of its connections.',
  rule('events.connection.deleted.on-account-deletion'),
  async ({ events, connections, elsewhere }) => {
    const accounts = await elsewhere('platform.accounts');
    const accountId = await accounts.create();
    const made = [await connections.make({ accountId, state: 'ACTIVE' }), await connections.make({ accountId, state: 'INACTIVE' })];
    const inbox = await events.subscribed();
    await accounts.remove(accountId);
    for (const { id } of made) await inbox.event(ofConnection('deleted', id));
  },
);

test(
  'Deleting a customer account publishes experience.connection.deleted even while telephone numbers are assigned to the Experience.',
  rule('events.connection.deleted.on-account-deletion-with-numbers'),
  async ({ events, connections, elsewhere }) => {
    const [accounts, numbers] = [await elsewhere('platform.accounts', 'platform.numbers'), await elsewhere('platform.numbers')];
    const accountId = await accounts.create();
    const made = await connections.make({ accountId });
    await connections.assign(made, 'PHONE_NUMBER', await numbers.create(accountId));
    const inbox = await events.subscribed();
    await accounts.remove(accountId);
    await inbox.event(ofConnection('deleted', made.id));
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
    await inbox.none(ofConnection('deleted', made.id), 'what is refused publishes nothing');
    await unassign();
    granted('a connection that is deleted', await connections.remove(made));
    await hears(inbox, ofConnection('deleted', made.id));
  },
);
