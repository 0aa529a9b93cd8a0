import { type EventType, eventTypes } from '../../src/contract/generated/events.ts';
import { become } from '../actors/become.ts';
import { changesOfOneExperience, everyChange } from '../actors/event-changes.ts';
import { eventOf, type Inbox } from '../actors/inbox.ts';
import { haveUsers, usersOf } from '../actors/user-changes.ts';
import { must } from '../expect/broken.ts';
import { granted } from '../expect/observed.ts';
import { mustReach, reachesEach } from '../expect/reaches.ts';
import { sameId } from '../expect/same-id.ts';
import { type Change, names, told } from '../expect/told.ts';
import { type Events, test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';
import { notTestable } from '../target/not-testable.ts';

type Wanted = Parameters<Events['subscribe']>[0];

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

/** Whether a subscription to what is wanted is to get the event of a change. */
function matches(change: Change, { experienceId = change.experienceId, types = eventTypes }: Wanted): boolean {
  return types.includes(change.type) && sameId(experienceId, change.experienceId);
}

/** With the rest of them: whether a type is not listed shows in one of two subscriptions. Either has one of which its absence shows, too. */
const SOME: readonly EventType[] = [
  CREATED,
  'experience.connection.activated',
  'experience.connection.deleted',
  'experience.assignment.deleted',
  'provisioning.user.created',
];

const REST = eventTypes.filter((type) => !SOME.includes(type));

for (const [which, types] of [
  ['some', SOME],
  ['the others', REST],
] as const) {
  test(
    `A subscription gets only events whose type is in its list types: ${which} of them.`,
    rule('events.subscription.only-listed-types'),
    async ({ events, parts }) => {
      const narrow = await events.subscribe({ types });
      const changes: Change[] = [];
      for await (const change of everyChange(parts)) {
        // Whoever gets nothing gets nothing wrong.
        if (types.includes(change.type)) await mustReach({ inbox: narrow, where: `to who lists ${types.join(', ')}` }, change);
        else changes.push(change);
        await told(change);
      }
      await mustMiss(narrow, changes, `only ${types.join(', ')} come`);
    },
  );
}

test(
  'A subscription with an experienceId gets only events of that Experience.',
  rule('events.subscription.only-its-experience'),
  async ({ need, events, parts }) => {
    const experienceId = await need('experience.second');
    const narrow = await events.subscribe({ experienceId });
    const changes: Change[] = [];
    for await (const change of changesOfOneExperience(parts)) {
      await told(change);
      changes.push(change);
    }
    await mustMiss(narrow, changes, `only events of ${experienceId} come`);
  },
);

const EVERY = 'An event is delivered to every subscription that it matches, not to one of them';

test(`${EVERY}.`, rule('events.subscription.every-match'), async ({ need, events, parts }) => {
  const experienceId = await need('experience');
  const wide: readonly Wanted[] = [{}, { types: SOME }, { types: REST }, { experienceId }, { experienceId, types: [CREATED] }];
  const subscribe = async (wanted: Wanted) => ({ wanted, where: `for ${JSON.stringify(wanted)}`, inbox: await events.subscribe(wanted) });
  const others = await Promise.all(wide.map(subscribe));
  let isTold = false;
  // Who is told of a user of several Experiences is open.
  for await (const change of changesOfOneExperience(parts)) {
    const matching = others.filter(({ wanted }) => matches(change, wanted));
    isTold = (await reachesEach([{ inbox: change.inbox, where: 'for all' }, ...matching], change)) || isTold;
    // Which Experience it is of is not known before its first event.
    if (!others.some(({ wanted }) => sameId(wanted.experienceId, change.experienceId)))
      others.push(await subscribe({ experienceId: change.experienceId }));
  }
  if (!isTold) notTestable('an event, which came to no subscription');
});

test(`${EVERY}: the first of one Experience.`, rule('events.subscription.every-match'), async ({ has, events, elsewhere, connections }) => {
  // Who is told of a user of several Experiences is open: one of them is, where the account is new, too.
  const accountId = has('platform.accounts') ? await (await elsewhere('platform.accounts')).create() : undefined;
  const pair = { ...(await connections.pair()), ...(accountId !== undefined && { accountId }) };
  const [inbox, { experienceId }] = [await events.subscribed(), pair];
  const narrow = { inbox: await events.subscribe({ experienceId }), where: `for experienceId ${experienceId}` };
  const made = await connections.madeBy(granted('a connection', await connections.create(pair)), pair);
  await mustReach(narrow, { inbox, type: 'experience.connection.created', ids: [made.id], experienceId });
  if (accountId === undefined || !haveUsers({ has })) return;
  if ((await connections.stateOf(made)) !== 'ACTIVE') await become(connections, made, 'ACTIVE');
  await connections.assign(made, 'ACCOUNT', made.accountId);
  const userId = await (await usersOf({ has, elsewhere })).create(made.accountId);
  await mustReach(narrow, { inbox, type: 'provisioning.user.created', ids: [userId], experienceId });
});
