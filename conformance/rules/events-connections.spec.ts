import { test } from '../support/events-test.ts';
import { rule } from '../support/rule.ts';
import { refusal } from '../support/verify.ts';

test(
  'Creating a connection through the API publishes experience.connection.created.',
  rule('events.connection.created.on-create'),
  async ({ events, connections }) => {
    const inbox = await events.subscribed();
    const { id } = await connections.make();
    await inbox.event({ type: 'experience.connection.created', data: { connectionId: id } });
  },
);

test(
  'Creating a connection in an end-user portal publishes experience.connection.created.',
  rule('events.connection.created.on-portal-create'),
  async ({ events, connections, elsewhere }) => {
    const inbox = await events.subscribed();
    const id = await (await elsewhere('portal.connections')).create(await connections.pair());
    await inbox.event({ type: 'experience.connection.created', data: { connectionId: id } });
  },
);

test(
  'An update that asks for ACTIVE where the connection is ACTIVE publishes no experience.connection.activated.',
  rule('events.connection.activated.not-when-already-active'),
  async ({ events, connections }) => {
    const made = await connections.make({ state: 'ACTIVE' });
    // Subscribed to afterwards: it is not told how the connection became ACTIVE.
    const inbox = await events.subscribed();
    refusal(await connections.update(made, 'ACTIVE'), 409);
    await inbox.none({ type: 'experience.connection.activated', data: { connectionId: made.id } }, 'what is refused publishes nothing');
  },
);
