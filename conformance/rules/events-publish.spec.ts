import type { EventType } from '../../src/contract/generated/events.ts';
import { become, go } from '../actors/become.ts';
import { FAILED } from '../actors/deliveries.ts';
import { changesElsewhere } from '../actors/event-changes.ts';
import { heardConnection } from '../actors/heard-connection.ts';
import { eventOf } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';
import { REFUSED_WRITES } from '../actors/refused-writes.ts';
import { must, unlessBroken } from '../expect/broken.ts';
import { hears } from '../expect/hears.ts';
import { granted } from '../expect/observed.ts';
import { eventIds, mustBeSilent, newsOf, unheard } from '../expect/silence.ts';
import { type Change, names, told } from '../expect/told.ts';
import { ofAssignment } from '../expect/wanted.ts';
import { test } from '../runner/deliveries-test.ts';
import { rule } from '../runner/rule.ts';
import { notTestable } from '../target/not-testable.ts';

const ONCE =
  'One change to a connection or an assignment is one event for a subscription, under one webhook-id, however often it is delivered';

/** Each type tells of one change. @param came all that came of the changes. @param ids of what was changed */
function mustBeOnce(came: readonly Delivery[], ids: readonly string[], ...types: readonly EventType[]): void {
  for (const type of types) {
    const told = eventIds(came.filter((delivery) => eventOf(delivery).type === type && names(delivery, ids)));
    if (told.size === 0) notTestable(`${type}, which was not delivered after the change`);
    must(told.size === 1, `one change is one event, and ${type} has one webhook-id and not ${[...told].join(' and ')}`);
  }
}

test(`${ONCE}: of a connection.`, rule('events.publish.once-per-change'), async ({ events, connections }) => {
  const inbox = await events.subscribed();
  const made = await connections.make({ state: 'INACTIVE' });
  // Its state may have been told, too, when it was created, and before it became INACTIVE.
  const changed = await newsOf(inbox, async () => {
    for (const state of ['ACTIVE', 'INACTIVE'] as const) await become(connections, made, state);
    await go(connections, made);
  });
  mustBeOnce(changed, [made.id], 'experience.connection.activated', 'experience.connection.deactivated');
  mustBeOnce(inbox.deliveries, [made.id], 'experience.connection.created', 'experience.connection.deleted');
});

test(`${ONCE}: of an assignment.`, rule('events.publish.once-per-change'), async ({ api, need, events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  const call = { token: await need('token'), path: { assignmentId: id } };
  granted('an assignment that is deleted', await api.call('deleteExperienceAssignment', call));
  await inbox.settled();
  mustBeOnce(inbox.deliveries, [id], 'experience.assignment.created', 'experience.assignment.deleted');
});

test(`${ONCE}: whoever else made it, and of a user for one Experience.`, rule('events.publish.once-per-change'), async ({ parts }) => {
  const changes: Change[] = [];
  for await (const change of changesElsewhere(parts)) {
    await told(change);
    changes.push(change);
  }
  const inboxes = new Set(changes.map(({ inbox }) => inbox));
  if (inboxes.size === 0) notTestable('a change that is not made through the API');
  await Promise.all([...inboxes].map((inbox) => inbox.settled()));
  // Connections begin as INACTIVE here, and that may have been told when they were created.
  for (const { inbox, type, ids } of changes)
    if (type !== 'experience.connection.deactivated') mustBeOnce(inbox.deliveries, ids.slice(0, 1), type);
});

test(`${ONCE}: one that is sent again.`, rule('events.publish.once-per-change'), async ({ events, deliveries }) => {
  const inbox = await events.subscribed();
  const wanted = await deliveries.answered(inbox, (attempt) => (attempt === 1 ? FAILED : undefined));
  await deliveries.sentAgain(inbox, wanted, 'it was not acknowledged').catch(unlessBroken(({ message }) => notTestable(message)));
  const ids = [...eventIds(inbox.all(wanted))];
  must(ids.length === 1, `what is sent again is the same event, under one webhook-id and not ${ids.join(' and ')}`);
});

for (const [operation, arrange] of Object.entries(REFUSED_WRITES)) {
  test(
    `A request that is refused publishes nothing, as what the event would tell did not happen: ${operation}.`,
    rule('events.publish.nothing-when-refused'),
    async ({ api, need, has, events, connections, assignments }) => {
      const inbox = await events.subscribed();
      const write = await arrange({ api, need, has, inbox, connections, assignments });
      const askAll = async () => {
        for (const [why, ask] of Object.entries(write.refused)) if ((await ask()).status < 400) notTestable(`a refusal where ${why}`);
      };
      const { own, ids, type } = write;
      await mustBeSilent(
        inbox,
        [
          { ids: own, isOwn: true },
          { ids, type },
        ],
        askAll,
        'what is refused publishes nothing',
      );
      const isNews = unheard(inbox);
      granted('the same where nothing is wrong', await write.granted());
      await told({ inbox, ...write }, isNews);
    },
  );
}

test(
  'Checking assignability, listing and reading publish nothing.',
  rule('events.publish.nothing-when-read'),
  async ({ api, need, events, connections, assignments }) => {
    const [token, accountId, userId] = [await need('token'), await need('account'), await (await need('users'))()];
    const inbox = await events.subscribed();
    const [connection, assignment] = [await heardConnection(inbox, connections), await assignments.make()];
    const { experienceId, targetType, targetValue } = await assignments.wanted();
    await hears(inbox, ofAssignment('created', assignment.id));
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
    const own = { ids: [connection.id, assignment.id], isOwn: true } as const;
    await mustBeSilent(inbox, [own, { ids: [userId, targetValue] }], read, 'reading publishes nothing');
  },
);
