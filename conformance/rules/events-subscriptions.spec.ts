import { type EventType, eventTypes } from '../../src/contract/generated/events.ts';
import { must, RuleBroken } from '../support/broken.ts';
import { changesOfOneExperience, everyChange } from '../support/event-changes.ts';
import { test } from '../support/events-test.ts';
import { eventOf, type Inbox } from '../support/inbox.ts';
import { notTestable } from '../support/not-testable.ts';
import { rule } from '../support/rule.ts';
import { sameId } from '../support/same-id.ts';
import { type Change, names, told } from '../support/told.ts';

const CREATED = 'experience.assignment.created';

test(
  'The events of a subscription are delivered to its destinationUrl.',
  rule('events.subscription.delivered-to-destination'),
  async ({ events, assignments }) => {
    const inbox = await events.subscribed();
    const { id } = await assignments.make();
    await inbox.event({ type: CREATED, data: { assignmentId: id } });
  },
);

test(
  'The events of a subscription are delivered to its destinationUrl: of each to its own.',
  rule('events.subscription.delivered-to-destination'),
  async ({ events, assignments }) => {
    const inboxes = [await events.subscribe({}), await events.subscribe({})] as const;
    const { id } = await assignments.make();
    for (const inbox of inboxes) await inbox.event({ type: CREATED, data: { assignmentId: id } });
    await Promise.all(inboxes.map((inbox) => inbox.settled()));
    for (const [one, other] of [inboxes, [inboxes[1], inboxes[0]]] as const) {
      const astray = one.deliveries.find((delivery) => sameId(eventOf(delivery).subscriptionId, other.subscriptionId));
      must(astray === undefined, `nothing of a subscription comes to the address of another:\n${astray?.text}`);
    }
  },
);

/** Sees that none of the changes, which are told elsewhere, was told to a narrower subscription. @throws RuleBroken */
async function mustMiss(narrow: Inbox, changes: readonly Change[], expected: string): Promise<void> {
  await narrow.settled();
  for (const { type, ids } of changes) {
    const unwanted = narrow.all({ type }).find((delivery) => names(delivery, ids));
    must(unwanted === undefined, `${expected}, and not:\n${unwanted?.text}`);
  }
}

/** With the rest of them: whether a type is not listed shows in one of two subscriptions. Either has one of which its absence shows, too. */
const SOME: readonly EventType[] = [
  CREATED,
  'experience.connection.activated',
  'experience.connection.deleted',
  'experience.assignment.deleted',
  'provisioning.user.created',
];

for (const [which, types] of [
  ['some', SOME],
  ['the others', eventTypes.filter((type) => !SOME.includes(type))],
] as const) {
  test(
    `A subscription gets only events whose type is in its list types: ${which} of them.`,
    rule('events.subscription.only-listed-types'),
    async ({ api, need, has, events, elsewhere, connections, assignments }) => {
      const narrow = await events.subscribe({ types });
      const changes: Change[] = [];
      for await (const change of everyChange({ api, need, has, events, elsewhere, connections, assignments })) {
        await told(change);
        if (!types.includes(change.type)) changes.push(change);
      }
      await mustMiss(narrow, changes, `only ${types.join(', ')} come`);
    },
  );
}

test(
  'A subscription with an experienceId gets only events of that Experience.',
  rule('events.subscription.only-its-experience'),
  async ({ api, need, has, events, elsewhere, connections, assignments }) => {
    const experienceId = await need('experience.second');
    const narrow = await events.subscribe({ experienceId });
    const changes: Change[] = [];
    for await (const change of changesOfOneExperience({ api, need, has, events, elsewhere, connections, assignments })) {
      await told(change);
      changes.push(change);
    }
    await mustMiss(narrow, changes, `only events of ${experienceId} come`);
  },
);

test(
  'An event is delivered to every subscription that it matches, not to one of them.',
  rule('events.subscription.every-match'),
  async ({ need, events, assignments }) => {
    const experienceId = await need('experience');
    const matching = [{}, {}, { experienceId }, { types: [CREATED] }, { experienceId, types: [CREATED] }] as const;
    const inboxes = await Promise.all(matching.map(events.subscribe));
    const { id } = await assignments.make({ experienceId });
    const came = await Promise.allSettled(inboxes.map((inbox) => inbox.event({ type: CREATED, data: { assignmentId: id } })));
    const missed = came.flatMap((each, index) => (each.status === 'rejected' ? [{ index, error: each.reason as Error }] : []));
    if (missed.length === inboxes.length) notTestable(`${CREATED}, which came to no subscription`);
    for (const { index, error } of missed)
      throw error instanceof RuleBroken
        ? new RuleBroken(`${error.message}\nIt did not come to ${JSON.stringify(matching[index])}.`)
        : error;
  },
);
