import type { EventType } from '../../../src/contract/generated/events.ts';
import { parseEvent } from '../../../src/expect/event.ts';
import { must } from '../../../src/expect/rule-broken.ts';
import { isSameId } from '../../../src/expect/same-id.ts';
import type { Change } from '../../actors/change-events.ts';
import { makeAllChanges, makeChangesOfOneExperience } from '../../actors/changes.ts';
import type { Events } from '../../actors/event-subscriptions.ts';
import type { Inbox } from '../../actors/inbox.ts';
import type { Participants } from '../../actors/participants.ts';
import { matchAssignmentEvent } from '../../expect/event.ts';
import { rule, SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';

type Filter = Parameters<Events['subscribe']>[0];

test(...rule('events.subscription.delivered-to-destination'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const { id } = await assignments.createOrThrow();
  await inbox.expectEvent(matchAssignmentEvent('created', id));
});

async function deliverToEach({ events, assignments }: Pick<Participants, 'events' | 'assignments'>, ...filters: readonly Filter[]) {
  const inboxes = await Promise.all(filters.map(events.subscribe));
  const { id } = await assignments.createOrThrow();
  const match = matchAssignmentEvent('created', id);
  return { inboxes, match, waitForDeliveries: () => Promise.all(inboxes.map((inbox) => inbox.waitForEvent(match))) };
}

test(...rule('events.subscription.id-received'), async ({ participants }) => {
  const { inboxes, waitForDeliveries } = await deliverToEach(participants, {}, {});
  for (const [index, delivery] of (await waitForDeliveries()).entries()) {
    const { subscriptionId } = parseEvent(delivery);
    const received = inboxes[index]?.subscriptionId ?? '';
    must(
      isSameId(subscriptionId, received),
      `the event contains the subscriptionId that the subscription's creation returned (${received}), not ${subscriptionId}`,
    );
  }
});

test(...rule('events.subscription.id-distinct'), async ({ participants }) => {
  const { inboxes, waitForDeliveries } = await deliverToEach(participants, {}, {});
  const received = inboxes.map(({ subscriptionId }) => subscriptionId);
  for (const [first, second] of [received, (await waitForDeliveries()).map((delivery) => String(parseEvent(delivery).subscriptionId))])
    must(!isSameId(first, second ?? ''), `two subscriptions have different ids, but both have ${first}`);
});

for (const id of ['events.subscription.experience-id-optional', 'events.subscription.every-match'] as const) {
  test(...rule(id), async ({ need, participants }) => {
    const { inboxes, match } = await deliverToEach(participants, {}, { experienceId: await need('experience') });
    for (const inbox of inboxes) await inbox.expectEvent(match);
  });
}

test(...rule('events.subscription.every-match', 'a connection that is older than the subscription'), async ({ events, connections }) => {
  const older = await events.openDefaultInbox();
  const connection = await connections.createOrThrow({ state: 'INACTIVE' });
  const inbox = await events.subscribe({});
  await connections.setState(connection, 'ACTIVE');
  const match = { type: 'experience.connection.activated', ids: [connection.id] } as const;
  await older.waitForEvent(match);
  await inbox.expectEvent(match);
});

async function expectNoEventsInInbox(inbox: Inbox, changes: readonly Change[], expected: string): Promise<void> {
  await inbox.settle();
  for (const change of changes) {
    // Another id of the change, such as a telephone number, may be in an event about the change of `settle`.
    const [unwanted] = inbox.filterDeliveries({ ...change, ids: [change.ids[0]] });
    must(unwanted === undefined, `${expected}, not:\n${unwanted?.text}`);
  }
}

/** `Inbox.settle` waits for the creation of an assignment. */
const LISTED_TYPES: readonly EventType[] = [
  'experience.assignment.created',
  'experience.connection.activated',
  'provisioning.user.created',
];

test(...rule('events.subscription.only-listed-types', undefined, { tag: SILENCE_TAG }), async ({ events, participants }) => {
  const narrow = await events.subscribe({ types: LISTED_TYPES });
  const unlisted: Change[] = [];
  for await (const change of makeAllChanges(participants)) {
    await change.inbox.waitForEvent(change);
    // Otherwise, a subscription without any events would pass.
    if (LISTED_TYPES.includes(change.type)) await narrow.expectEvent(change, `${change.type} is delivered to the narrow subscription`);
    else unlisted.push(change);
  }
  await expectNoEventsInInbox(narrow, unlisted, `only events of the types ${LISTED_TYPES.join(', ')} are delivered`);
});

test(...rule('events.subscription.only-its-experience', undefined, { tag: SILENCE_TAG }), async ({ need, events, participants }) => {
  const experienceId = await need('experience.second');
  const narrow = await events.subscribe({ experienceId });
  const changes: Change[] = [];
  for await (const change of makeChangesOfOneExperience(participants)) {
    await change.inbox.waitForEvent(change);
    changes.push(change);
  }
  await expectNoEventsInInbox(narrow, changes, `only events of ${experienceId} are delivered`);
});
