import type { EventType } from '../../src/contract/generated/events.ts';
import { createDeliveredConnection } from '../actors/arrange.ts';
import { type Change, waitForEvent } from '../actors/change-events.ts';
import { createAssignmentTwice, createConnectionTwice, makeChangesOutsideApi } from '../actors/changes.ts';
import { FAILURE_RESPONSE } from '../actors/deliveries.ts';
import type { Inbox } from '../actors/inbox.ts';
import { collectNewEvents, expectSilence } from '../actors/silence.ts';
import { collectEventIds, type Delivery, matchAssignmentEvent, matchesEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { must, onRuleBroken } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

for (const [entity, makeChanges] of [
  ['connection', createConnectionTwice],
  ['assignment', createAssignmentTwice],
] as const) {
  test(...rule('events.publish.every-change', `creation, changes and deletion of ${entity}s`), async ({ participants }) => {
    const counts = new Map<string, number>();
    for await (const { inbox, type, ids } of makeChanges(participants)) {
      const match = { type, ids: ids.slice(0, 1) };
      // A target may reuse a deleted entity's id, so the same id may have several events of this type.
      const count = (counts.get(`${type} ${ids[0]}`) ?? 0) + 1;
      counts.set(`${type} ${ids[0]}`, count);
      await inbox
        .waitUntil(
          () => collectEventIds(inbox.filterDeliveries(match)).size >= count || undefined,
          `${type} is delivered after each change of this kind`,
        )
        .catch(onRuleBroken((error) => inbox.handleMissingEvent(match, error, true)));
    }
  });
}

async function expectOneEvent(inbox: Inbox, deliveries: readonly Delivery[], id: string, ...types: readonly EventType[]) {
  for (const type of types) {
    const match = { type, ids: [id] };
    const webhookIds = collectEventIds(deliveries.filter((delivery) => matchesEvent(delivery, match)));
    if (webhookIds.size === 0) {
      await inbox.waitForEvent(match);
      endAsNotTestable(`${type} was delivered too late to be counted`);
    }
    must(webhookIds.size === 1, `one change publishes one event, so ${type} has one webhook-id, not ${[...webhookIds].join(' and ')}`);
  }
}

test(...rule('events.publish.once-per-change', 'changes to a connection'), async ({ events, connections }) => {
  const inbox = await events.openDefaultInbox();
  const connection = await connections.createOrThrow({ state: 'INACTIVE' });
  // Ignore earlier events, because the connection's creation may have published an activated or deactivated event.
  const deliveries = await collectNewEvents(inbox, async () => {
    for (const state of ['ACTIVE', 'INACTIVE'] as const) await connections.setState(connection, state);
    await connections.deleteConnection(connection);
  });
  await expectOneEvent(inbox, deliveries, connection.id, 'experience.connection.activated', 'experience.connection.deactivated');
  await expectOneEvent(inbox, inbox.deliveries, connection.id, 'experience.connection.created', 'experience.connection.deleted');
});

test(...rule('events.publish.once-per-change', 'changes to an assignment'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const { id } = await assignments.createOrThrow();
  requireSuccess('a deleted assignment', await assignments.remove(id));
  await inbox.settle();
  await expectOneEvent(inbox, inbox.deliveries, id, 'experience.assignment.created', 'experience.assignment.deleted');
});

test(...rule('events.publish.once-per-change', 'changes outside the API'), async ({ participants }) => {
  const changes: Change[] = [];
  for await (const change of makeChangesOutsideApi(participants)) {
    await waitForEvent(change);
    changes.push(change);
  }
  const inboxes = new Set(changes.map(({ inbox }) => inbox));
  if (inboxes.size === 0) endAsNotTestable('the profile has no way to make a change outside the API');
  await Promise.all([...inboxes].map((inbox) => inbox.settle()));
  const isStateEvent = (type: EventType) => type.endsWith('activated');
  for (const { inbox, type, ids } of changes) {
    // Creating the connection may also have published an event of its last state's type, so do not count events of this type.
    const last = changes.findLast((other) => isStateEvent(other.type) && other.ids[0] === ids[0]);
    if (last?.type !== type) await expectOneEvent(inbox, inbox.deliveries, ids[0], type);
  }
});

test(...rule('events.publish.once-per-change', 'a repeated event'), async ({ events, deliveries }) => {
  const inbox = await events.openDefaultInbox();
  const match = await deliveries.publishAndAnswerEvent(inbox, (attempt) => (attempt === 1 ? FAILURE_RESPONSE : undefined));
  await deliveries.expectRepeat(inbox, match, 'the first attempt was not acknowledged');
  const ids = [...collectEventIds(inbox.filterDeliveries(match))];
  must(ids.length === 1, `a repeated event has one webhook-id, not ${ids.join(' and ')}`);
});

test(...rule('events.publish.nothing-when-read'), async ({ api, need, events, connections, assignments }) => {
  const [token, accountId, userId] = [await need('token'), await need('account'), await (await need('users'))()];
  const inbox = await events.openDefaultInbox();
  const [connection, assignment] = [await createDeliveredConnection(inbox, connections), await assignments.createOrThrow()];
  const { experienceId, targetType, targetValue } = await assignments.createBody();
  await inbox.waitForEvent(matchAssignmentEvent('created', assignment.id));
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
