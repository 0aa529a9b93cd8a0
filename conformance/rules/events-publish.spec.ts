import type { EventType } from '../../src/contract/generated/events.ts';
import { must } from '../support/broken.ts';
import { FAILED } from '../support/deliveries.ts';
import { test } from '../support/deliveries-test.ts';
import type { Inbox } from '../support/inbox.ts';
import { notTestable } from '../support/not-testable.ts';
import { granted } from '../support/observed.ts';
import { REFUSED_WRITES } from '../support/refused-writes.ts';
import { rule } from '../support/rule.ts';
import { eventIds, mustBeSilent } from '../support/silence.ts';
import { placeOf } from '../support/template.ts';
import { names, told } from '../support/told.ts';

const ONCE =
  'One change to a connection or an assignment is one event for a subscription, under one webhook-id, however often it is delivered';

/** Each type tells of one change. @param ids of what was changed */
async function mustBeOnce(inbox: Inbox, ids: readonly string[], ...types: readonly EventType[]): Promise<void> {
  await inbox.settled();
  for (const type of types) {
    const told = eventIds(inbox.all({ type }).filter((delivery) => names(delivery, ids)));
    if (told.size === 0) notTestable(`${type}, which was not delivered after the change`);
    must(told.size === 1, `one change is one event, and ${type} has one webhook-id and not ${[...told].join(' and ')}`);
  }
}

test(`${ONCE}: of a connection.`, rule('events.publish.once-per-change'), async ({ need, events, connections }) => {
  const inbox = await events.subscribed();
  const made = await connections.make({ state: 'INACTIVE' });
  for (const state of ['ACTIVE', 'INACTIVE']) granted(`a connection that becomes ${state}`, await connections.update(made, state));
  granted('a connection that is deleted', await connections.remove(made));
  // Where it may have been ACTIVE at first, it became either state twice.
  const isExact = placeOf(await need('bodies.connectionCreate'), 'state') !== undefined;
  const updates = ['experience.connection.activated', 'experience.connection.deactivated'] as const;
  await mustBeOnce(inbox, [made.id], 'experience.connection.created', ...(isExact ? updates : []), 'experience.connection.deleted');
});

test(`${ONCE}: of an assignment.`, rule('events.publish.once-per-change'), async ({ api, need, events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  const call = { token: await need('token'), path: { assignmentId: id } };
  granted('an assignment that is deleted', await api.call('deleteExperienceAssignment', call));
  await mustBeOnce(inbox, [id], 'experience.assignment.created', 'experience.assignment.deleted');
});

test(`${ONCE}: one that is sent again.`, rule('events.publish.once-per-change'), async ({ events, deliveries }) => {
  const inbox = await events.subscribed();
  const wanted = await deliveries.answered(inbox, (attempt) => (attempt === 1 ? FAILED : undefined));
  await deliveries.sentAgain(inbox, wanted, 'it was not acknowledged').catch((error: Error) => notTestable(error.message));
  const ids = [...eventIds(inbox.all(wanted))];
  must(ids.length === 1, `what is sent again is the same event, under one webhook-id and not ${ids.join(' and ')}`);
});

for (const [operation, arrange] of Object.entries(REFUSED_WRITES)) {
  test(
    `A request that is refused publishes nothing, as what the event would tell did not happen: ${operation}.`,
    rule('events.publish.nothing-when-refused'),
    async ({ api, need, has, events, connections, assignments }) => {
      const write = await arrange({ api, need, has, connections, assignments });
      const inbox = await events.subscribed();
      const askAll = async () => {
        for (const [why, ask] of Object.entries(write.refused)) if ((await ask()).status < 400) notTestable(`a refusal where ${why}`);
      };
      await mustBeSilent(inbox, write.ids, askAll, 'what is refused publishes nothing');
      granted('the same where nothing is wrong', await write.granted());
      await told({ inbox, ...write });
    },
  );
}

test(
  'Checking assignability, listing and reading publish nothing.',
  rule('events.publish.nothing-when-read'),
  async ({ api, need, events, connections, assignments }) => {
    const [token, accountId, userId] = [await need('token'), await need('account'), await (await need('users'))()];
    const [connection, assignment] = [await connections.make(), await assignments.make()];
    const { experienceId, targetType, targetValue } = await assignments.wanted();
    const inbox = await events.subscribed();
    const read = async () => {
      const pair = { accountId: connection.accountId, experienceId: connection.experienceId };
      const calls = [
        api.call('getExperienceAssignability', { token, path: { experienceId }, query: { targetType, targetValue } }),
        api.call('getExperienceConnections', { token, query: pair }),
        api.call('getExperienceConnection', { token, path: { experienceConnectionId: connection.id } }),
        api.call('getExperienceAssignments', { token, query: { accountId, experienceId: assignment.experienceId } }),
        api.call('getExperienceAssignment', { token, path: { assignmentId: assignment.id } }),
        api.call('getUsers', { token, query: { accountId } }),
        api.call('getUser', { token, path: { userId } }),
      ];
      for (const answer of await Promise.all(calls)) granted('what is read', answer);
    };
    await mustBeSilent(inbox, [connection.id, assignment.id, userId, targetValue], read, 'reading publishes nothing');
  },
);
