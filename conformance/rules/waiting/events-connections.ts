import { setTimeout as pause } from 'node:timers/promises';
import { parseEventData } from '../../../src/expect/event.ts';
import type { State } from '../../actors/connections.ts';
import type { Participants } from '../../actors/participants.ts';
import { expectSilence, isBefore } from '../../actors/silence.ts';
import type { ConnectionKey } from '../../expect/connection.ts';
import { matchConnectionEvent } from '../../expect/event.ts';
import { requireSuccess } from '../../expect/response.ts';
import { rule, SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsNotTestable } from '../../target/check-report.ts';

/** After this time, instants differ even if the target shows whole seconds. */
const DISTINCT_INSTANTS_MS = 1100;
type ChangeOrigin = 'api' | 'portal.connections' | 'platform.connections';

async function createConnectionActions(origin: ChangeOrigin, { connections, operator }: Pick<Participants, 'connections' | 'operator'>) {
  if (origin === 'api')
    return {
      create: async (state: State) => (await connections.createOrThrow({ state })).id,
      update: async (key: ConnectionKey, state: State) =>
        void requireSuccess(`an update that makes a connection ${state}`, await connections.update(key, state)),
      remove: async (key: ConnectionKey) => void requireSuccess('a deleted connection', await connections.remove(key)),
    };
  const actions = await operator(origin);
  return {
    create: async (state: State) => actions.create(await connections.pickPair(), state),
    update: ({ id }: ConnectionKey, state: State) => actions.update(id, state),
    remove: ({ id }: ConnectionKey) => actions.remove(id),
  };
}

for (const [origin, onCreate, onUpdate, onDelete] of [
  ['api', 'on-create', 'on-update', 'on-delete'],
  ['portal.connections', 'on-portal-create', 'on-portal-action', 'on-portal-removal'],
  ['platform.connections', 'on-platform-create', 'on-platform-change', 'on-platform-removal'],
] as const) {
  for (const [state, before, event] of [
    ['ACTIVE', 'INACTIVE', 'activated'],
    ['INACTIVE', 'ACTIVE', 'deactivated'],
  ] as const) {
    test(...rule(`events.connection.created.${onCreate}`, state), async ({ events, connections, operator }) => {
      const actions = await createConnectionActions(origin, { connections, operator });
      const inbox = await events.openDefaultInbox();
      await inbox.expectEvent(matchConnectionEvent('created', await actions.create(state)));
    });

    test(...rule(`events.connection.${event}.${onUpdate}`), async ({ events, connections, operator }) => {
      const actions = await createConnectionActions(origin, { connections, operator });
      const connection = await connections.createOrThrow({ state: before });
      const inbox = await events.openDefaultInbox();
      await actions.update(connection, state);
      await inbox.expectEvent(matchConnectionEvent(event, connection.id));
    });

    test(...rule(`events.connection.deleted.${onDelete}`, state), async ({ events, connections, operator }) => {
      const actions = await createConnectionActions(origin, { connections, operator });
      const connection = await connections.createOrThrow({ state });
      const inbox = await events.openDefaultInbox();
      await actions.remove(connection);
      await inbox.expectEvent(matchConnectionEvent('deleted', connection.id));
    });
  }
}

for (const [state, before, event, notAgain] of [
  ['ACTIVE', 'INACTIVE', 'activated', 'events.connection.activated.not-when-already-active'],
  ['INACTIVE', 'ACTIVE', 'deactivated', 'events.connection.deactivated.not-when-already-inactive'],
] as const) {
  const type = `experience.connection.${event}` as const;

  test(...rule(notAgain, undefined, { tag: SILENCE_TAG }), async ({ events, connections }) => {
    const inbox = await events.openDefaultInbox();
    const connection = await connections.createBetween(await connections.pickPair(), undefined, before);
    const updatedAt = await ensureState(connection, before);
    await connections.setState(connection, state);
    await inbox.waitForEvent(
      matchConnectionEvent(event, connection.id),
      (delivery) => !isBefore(parseEventData(delivery).updatedAt, updatedAt),
    );
    const unwanted = [{ type, ids: [connection.id], isOwn: true } as const];
    // Ignore the update's status, because this check only tests events.
    await expectSilence(inbox, unwanted, () => connections.update(connection, state), 'an update that changes nothing publishes nothing');

    /** @returns the `updatedAt` of the update's event, if an update was necessary. The event that the creation may have caused is earlier. */
    async function ensureState(key: ConnectionKey, wanted: State) {
      if ((await connections.readState(key)) === wanted) return undefined;
      await pause(DISTINCT_INSTANTS_MS);
      await connections.setState(key, wanted);
      const change = wanted === 'ACTIVE' ? 'activated' : 'deactivated';
      return parseEventData(await inbox.waitForEvent(matchConnectionEvent(change, key.id))).updatedAt;
    }
  });
}

for (const place of [undefined, 'platform.numbers'] as const) {
  const id = `events.connection.deleted.on-account-deletion${place ? '-with-numbers' : ''}` as const;
  test(...rule(id), async ({ events, connections, operator }) => {
    const accounts = await operator('platform.accounts', ...(place ? [place] : []));
    const accountId = await accounts.create();
    const connection = await connections.createOrThrow({ accountId });
    if (place) await connections.assign(connection, 'PHONE_NUMBER', await (await operator(place)).create(accountId));
    const inbox = await events.openDefaultInbox();
    await accounts.remove(accountId);
    await inbox.expectEvent(matchConnectionEvent('deleted', connection.id));
  });
}

test(
  ...rule('events.connection.deleted.not-while-numbers-assigned', undefined, { tag: SILENCE_TAG }),
  async ({ need, events, connections }) => {
    const connection = await connections.createOrThrow({ accountId: await need('account') });
    const unassign = await connections.assign(connection, 'PHONE_NUMBER', await (await need('numbers'))());
    const inbox = await events.openDefaultInbox();
    const { status } = await connections.remove(connection);
    if (status !== 409) endAsNotTestable(`the deletion of a connection with an assigned number got ${status}, not 409`);
    await inbox.expectNoEvent(matchConnectionEvent('deleted', connection.id), 'a refused deletion publishes nothing');
    await unassign();
    requireSuccess('a deleted connection', await connections.remove(connection));
    await inbox.waitForEvent(matchConnectionEvent('deleted', connection.id));
  },
);
