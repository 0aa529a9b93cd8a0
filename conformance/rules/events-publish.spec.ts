import type { EventType } from '../../src/contract/generated/events.ts';
import { deliveredConnection } from '../actors/arrange.ts';
import { type Change, waitForEvent } from '../actors/change-events.ts';
import { assignmentTwice, changesElsewhere, connectionTwice } from '../actors/changes.ts';
import { FAILED } from '../actors/deliveries.ts';
import { collectNewEvents, expectSilence } from '../actors/silence.ts';
import { assignmentEvent, type Delivery, eventIds, eventOf, mentions } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { must, onRuleBroken } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

for (const [entity, makeChanges] of [
  ['connection', connectionTwice],
  ['assignment', assignmentTwice],
] as const) {
  test(...rule('events.publish.every-change', `a whole life of ${entity}s`), async ({ participants }) => {
    const counts = new Map<string, number>();
    for await (const { inbox, type, ids } of makeChanges(participants)) {
      const match = { type, ids: ids.slice(0, 1) };
      // A target may use an id again, which breaks another rule, so the events of both lives are counted.
      const count = (counts.get(`${type} ${ids[0]}`) ?? 0) + 1;
      counts.set(`${type} ${ids[0]}`, count);
      await inbox.until(() => eventIds(inbox.matching(match)).size >= count || undefined, `${type} is delivered after each such change`);
    }
  });
}

/** Expects one event of each type. @param ids select the deliveries: ids of the changed entity */
function expectOneEvent(deliveries: readonly Delivery[], ids: readonly string[], ...types: readonly EventType[]): void {
  for (const type of types) {
    const webhookIds = eventIds(deliveries.filter((delivery) => eventOf(delivery).type === type && mentions(delivery, ids)));
    if (webhookIds.size === 0) notTestable(`${type} was not delivered after the change`);
    must(webhookIds.size === 1, `one change publishes one event, so ${type} has one webhook-id, not ${[...webhookIds].join(' and ')}`);
  }
}

test(...rule('events.publish.once-per-change', 'changes to a connection'), async ({ events, connections }) => {
  const inbox = await events.subscribed();
  const connection = await connections.make({ state: 'INACTIVE' });
  // Events of the creation are left out, because the creation may also have published the state.
  const deliveries = await collectNewEvents(inbox, async () => {
    for (const state of ['ACTIVE', 'INACTIVE'] as const) await connections.setState(connection, state);
    await connections.deleteConnection(connection);
  });
  expectOneEvent(deliveries, [connection.id], 'experience.connection.activated', 'experience.connection.deactivated');
  expectOneEvent(inbox.deliveries, [connection.id], 'experience.connection.created', 'experience.connection.deleted');
});

test(...rule('events.publish.once-per-change', 'changes to an assignment'), async ({ events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  requireSuccess('an assignment that is deleted', await assignments.remove(id));
  await inbox.settle();
  expectOneEvent(inbox.deliveries, [id], 'experience.assignment.created', 'experience.assignment.deleted');
});

test(...rule('events.publish.once-per-change', 'changes that are not made through the API'), async ({ participants }) => {
  const changes: Change[] = [];
  for await (const change of changesElsewhere(participants)) {
    await waitForEvent(change);
    changes.push(change);
  }
  const inboxes = new Set(changes.map(({ inbox }) => inbox));
  if (inboxes.size === 0) notTestable('the profile has no way to make a change outside the API');
  await Promise.all([...inboxes].map((inbox) => inbox.settle()));
  const isState = (type: EventType) => type.endsWith('activated');
  for (const { inbox, type, ids } of changes) {
    // A connection ends in the state in which it was created, and the creation may also have published the event of that state.
    const last = changes.findLast((other) => isState(other.type) && other.ids[0] === ids[0]);
    if (last?.type !== type) expectOneEvent(inbox.deliveries, ids.slice(0, 1), type);
  }
});

test(...rule('events.publish.once-per-change', 'an event that is sent again'), async ({ events, deliveries }) => {
  const inbox = await events.subscribed();
  const match = await deliveries.answered(inbox, (attempt) => (attempt === 1 ? FAILED : undefined));
  await deliveries
    .expectRepeat(inbox, match, 'the first attempt was not acknowledged')
    .catch(onRuleBroken(({ message }) => notTestable(message)));
  const ids = [...eventIds(inbox.matching(match))];
  must(ids.length === 1, `an event that is sent again has one webhook-id, not ${ids.join(' and ')}`);
});

test(...rule('events.publish.nothing-when-read'), async ({ api, need, events, connections, assignments }) => {
  const [token, accountId, userId] = [await need('token'), await need('account'), await (await need('users'))()];
  const inbox = await events.subscribed();
  const [connection, assignment] = [await deliveredConnection(inbox, connections), await assignments.make()];
  const { experienceId, targetType, targetValue } = await assignments.newBody();
  await inbox.waitForEvent(assignmentEvent('created', assignment.id));
  const pair = { accountId: connection.accountId, experienceId: connection.experienceId };
  const read = async () => {
    const answers = await Promise.all([
      api.call('getExperienceAssignability', { token, path: { experienceId }, query: { targetType, targetValue } }),
      api.call('getExperienceConnections', { token, query: pair }),
      connections.read(connection),
      api.call('getExperienceAssignments', { token, query: { accountId, experienceId: assignment.experienceId } }),
      assignments.read(assignment.id),
      api.call('getUsers', { token, query: { accountId } }),
      api.call('getUser', { token, path: { userId } }),
    ]);
    for (const answer of answers) requireSuccess('a read request', answer);
  };
  const own = { ids: [connection.id, assignment.id], isOwn: true } as const;
  await expectSilence(inbox, [own, { ids: [userId, targetValue] }], read, 'reading publishes nothing');
});
