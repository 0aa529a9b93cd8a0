import { type EventType, eventTypes } from '../../src/contract/generated/events.ts';
import { type Change, expectEventAtAllSubscriptions, expectEventAtSubscription, waitForEvent } from '../actors/change-events.ts';
import { makeAllChanges, makeChangesOfOneExperience } from '../actors/changes.ts';
import type { Events } from '../actors/event-subscriptions.ts';
import type { Inbox } from '../actors/inbox.ts';
import { canCreateUsers, getUserActions, selectUserEventRules } from '../actors/operator.ts';
import type { Participants } from '../actors/participants.ts';
import { isSameId } from '../expect/compare.ts';
import { type EventMatch, matchAssignmentEvent, matchConnectionEvent, matchUserEvent, parseEvent } from '../expect/event.ts';
import { must, onRuleBroken } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

type Filter = Parameters<Events['subscribe']>[0];

test(...rule('events.subscription.delivered-to-destination'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const { id } = await assignments.createOrThrow();
  await inbox.expectEvent(matchAssignmentEvent('created', id));
});

test(...rule('events.subscription.delivered-to-destination', 'two subscriptions'), async ({ participants }) => {
  const { inboxes, match } = await deliverToEach(participants, {}, {});
  const expectNoForeignEvent = () => {
    for (const { deliveries, subscriptionId } of inboxes) {
      const ofOthers = inboxes.map((inbox) => inbox.subscriptionId).filter((id) => id !== subscriptionId);
      const foreign = deliveries.find((delivery) => ofOthers.some((id) => isSameId(parseEvent(delivery).subscriptionId, id)));
      must(foreign === undefined, `no event for one subscription is delivered to another subscription's URL:\n${foreign?.text}`);
    }
  };
  const wait = (inbox: Inbox) =>
    inbox
      .waitUntil(() => inbox.filterDeliveries(match)[0], 'the event is delivered to each subscription')
      .catch(
        onRuleBroken((error) => {
          expectNoForeignEvent();
          // An event that no subscription receives breaks a different rule.
          return inbox.handleMissingEvent(match, error);
        }),
      );
  await Promise.all(inboxes.map(wait));
  await Promise.all(inboxes.map((inbox) => inbox.settle()));
  expectNoForeignEvent();
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

test(...rule('events.subscription.experience-id-optional'), async ({ need, participants }) => {
  const { inboxes, match } = await deliverToEach(participants, {}, { experienceId: await need('experience') });
  for (const inbox of inboxes) await inbox.expectEvent(match);
});

async function expectNoEventsInInbox(inbox: Inbox, changes: readonly Change[], expected: string): Promise<void> {
  await inbox.settle();
  for (const change of changes) {
    const [unwanted] = inbox.filterDeliveries(change);
    must(unwanted === undefined, `${expected}, not:\n${unwanted?.text}`);
  }
}

/** Each half contains a type that `Inbox.settle` can wait for: the creation of an assignment or of a connection. */
const FIRST_HALF_OF_TYPES: readonly EventType[] = [
  'experience.assignment.created',
  'experience.connection.activated',
  'experience.connection.deleted',
  'experience.assignment.deleted',
  'provisioning.user.created',
];
const SECOND_HALF_OF_TYPES = eventTypes.filter((type) => !FIRST_HALF_OF_TYPES.includes(type));

for (const [half, types] of [
  ['the first half', FIRST_HALF_OF_TYPES],
  ['the second half', SECOND_HALF_OF_TYPES],
] as const) {
  test(...rule('events.subscription.only-listed-types', `${half} of the types`), async ({ events, participants }) => {
    const narrow = await events.subscribe({ types });
    const unlisted: Change[] = [];
    for await (const change of makeAllChanges(participants)) {
      await waitForEvent(change);
      // Otherwise, a subscription without any events would pass.
      if (types.includes(change.type))
        await expectEventAtSubscription({ inbox: narrow, name: `to the subscription for ${types.join(', ')}` }, change);
      else unlisted.push(change);
    }
    await expectNoEventsInInbox(narrow, unlisted, `only events of the types ${types.join(', ')} are delivered`);
  });
}

test(...rule('events.subscription.only-its-experience'), async ({ need, events, participants }) => {
  const experienceId = await need('experience.second');
  const narrow = await events.subscribe({ experienceId });
  const changes: Change[] = [];
  for await (const change of makeChangesOfOneExperience(participants)) {
    await waitForEvent(change);
    changes.push(change);
  }
  await expectNoEventsInInbox(narrow, changes, `only events of ${experienceId} are delivered`);
});

test(...rule('events.subscription.every-match'), async ({ need, events, participants }) => {
  const experienceId = await need('experience');
  const subscribe = async (filter: Filter) => ({
    filter,
    name: `to the subscription for ${JSON.stringify(filter)}`,
    inbox: await events.subscribe(filter),
  });
  const subscriptions = await Promise.all(
    [
      {},
      { types: FIRST_HALF_OF_TYPES },
      { types: SECOND_HALF_OF_TYPES },
      { experienceId },
      { experienceId, types: ['experience.assignment.created'] as const },
    ].map(subscribe),
  );
  const matchesFilter = (change: Change, { experienceId: filteredId = change.experienceId, types = eventTypes }: Filter) =>
    types.includes(change.type) && isSameId(filteredId, change.experienceId);
  // The specification does not say which subscriptions receive events about several Experiences.
  for await (const change of makeChangesOfOneExperience(participants)) {
    const matching = subscriptions.filter(({ filter }) => matchesFilter(change, filter));
    await expectEventAtAllSubscriptions([{ inbox: change.inbox, name: 'to the subscription for all events' }, ...matching], change);
    // The Experience's id is known only after its first change, so subscribe to its later events now.
    if (!subscriptions.some(({ filter }) => isSameId(filter.experienceId, change.experienceId)))
      subscriptions.push(await subscribe({ experienceId: change.experienceId }));
  }
});

test(...rule('events.subscription.every-match', 'the first event of an Experience'), async ({ has, events, operator, connections }) => {
  // Use a new account with one Experience, because the specification does not define events about several Experiences.
  const newAccount = has('platform.accounts') ? await (await operator('platform.accounts')).create() : undefined;
  const pair = { ...(await connections.pickPair()), ...(newAccount !== undefined && { accountId: newAccount }) };
  const { accountId, experienceId } = pair;
  const inbox = await events.openDefaultInbox();
  const narrow = { inbox: await events.subscribe({ experienceId }), name: `to the subscription for experienceId ${experienceId}` };
  const expectAtFilteredInbox = async (match: EventMatch & { readonly type: EventType }) => {
    const change = { ...match, inbox };
    await waitForEvent(change);
    await expectEventAtSubscription(narrow, change);
  };
  const connection = await connections.createBetween(pair);
  await expectAtFilteredInbox(matchConnectionEvent('created', connection.id));
  if (newAccount === undefined || !canCreateUsers({ has })) return;
  if ((await connections.readState(connection)) !== 'ACTIVE') await connections.setState(connection, 'ACTIVE');
  await connections.assign(connection, 'ACCOUNT', accountId);
  // Wait for the assignment's event, because the assignment may take effect with a delay.
  await inbox.waitForEvent(matchAssignmentEvent('created', experienceId));
  const userId = await (await getUserActions({ has, operator })).create(accountId);
  await expectAtFilteredInbox({ ...matchUserEvent('created', userId), rule: selectUserEventRules({ has }).created });
});
