import { expectSilence, newEvents } from '../actors/silence.ts';
import { connectionEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const STATES = ['ACTIVE', 'INACTIVE'] as const;

for (const state of STATES) {
  test(
    `Creating a connection through the API publishes experience.connection.created: ${state}.`,
    rule('events.connection.created.on-create'),
    async ({ events, connections }) => {
      const inbox = await events.subscribed();
      const { id } = await connections.make({ state });
      await inbox.expectEvent(connectionEvent('created', id));
    },
  );

  test(
    `Creating a connection in an end-user portal publishes experience.connection.created: ${state}.`,
    rule('events.connection.created.on-portal-create'),
    async ({ events, connections, operator }) => {
      const [portal, inbox] = [await operator('portal.connections'), await events.subscribed()];
      const id = await portal.create(await connections.pair(), state);
      await inbox.expectEvent(connectionEvent('created', id));
    },
  );

  test(
    `A connection that the platform creates publishes experience.connection.created: ${state}.`,
    rule('events.connection.created.on-platform-create'),
    async ({ events, connections, operator }) => {
      const [platform, inbox] = [await operator('platform.connections'), await events.subscribed()];
      const id = await platform.create(await connections.pair(), state);
      await inbox.expectEvent(connectionEvent('created', id));
    },
  );
}

for (const [state, before, happened] of [
  ['ACTIVE', 'INACTIVE', 'activated'],
  ['INACTIVE', 'ACTIVE', 'deactivated'],
] as const) {
  test(
    `An update through the API that makes a connection ${state} publishes experience.connection.${happened}.`,
    rule(`events.connection.${happened}.on-update`),
    async ({ events, connections }) => {
      const made = await connections.make({ state: before });
      const inbox = await events.subscribed();
      requireSuccess(`a connection that becomes ${state}`, await connections.update(made, state));
      await inbox.expectEvent(connectionEvent(happened, made.id));
    },
  );

  test(
    `An update through the API that makes a connection ${state} publishes experience.connection.${happened}: not only once.`,
    rule(`events.connection.${happened}.on-update`),
    async ({ events, connections }) => {
      const inbox = await events.subscribed();
      const made = await connections.make({ state: before });
      const wanted = connectionEvent(happened, made.id);
      await connections.setState(made, state);
      await inbox.waitForEvent(wanted);
      await connections.setState(made, before);
      // A repeat of what told of the first time does not tell of the second.
      const isNews = newEvents(inbox);
      requireSuccess(`a connection that becomes ${state}`, await connections.update(made, state));
      await inbox.until(
        () => inbox.matching(wanted).find(isNews),
        `${wanted.type} is delivered of the second time, under a webhook-id of its own`,
      );
    },
  );

  test(
    `An action in an end-user portal that makes a connection ${state} publishes experience.connection.${happened}.`,
    rule(`events.connection.${happened}.on-portal-action`),
    async ({ events, connections, operator }) => {
      const [portal, made] = [await operator('portal.connections'), await connections.make({ state: before })];
      const inbox = await events.subscribed();
      await portal.update(made.id, state);
      await inbox.expectEvent(connectionEvent(happened, made.id));
    },
  );

  test(
    `A connection that the platform makes ${state} publishes experience.connection.${happened}.`,
    rule(`events.connection.${happened}.on-platform-change`),
    async ({ events, connections, operator }) => {
      const [platform, made] = [await operator('platform.connections'), await connections.make({ state: before })];
      const inbox = await events.subscribed();
      await platform.update(made.id, state);
      await inbox.expectEvent(connectionEvent(happened, made.id));
    },
  );
}

for (const [state, before, happened, id] of [
  ['ACTIVE', 'INACTIVE', 'activated', 'events.connection.activated.not-when-already-active'],
  ['INACTIVE', 'ACTIVE', 'deactivated', 'events.connection.deactivated.not-when-already-inactive'],
] as const) {
  test(
    `An update that asks for ${state} where the connection is ${state} publishes no experience.connection.${happened}.`,
    rule(id),
    async ({ events, connections }) => {
      const inbox = await events.subscribed();
      const made = await connections.make({ state: before });
      await connections.setState(made, state);
      await inbox.waitForEvent(connectionEvent(happened, made.id));
      const telling = { type: `experience.connection.${happened}`, ids: [made.id], isOwn: true } as const;
      // How it is answered is the matter of another rule.
      await expectSilence(inbox, [telling], () => connections.update(made, state), 'what changes nothing publishes nothing');
    },
  );
}
