import { type EventType, eventTypes } from '../../src/contract/generated/events.ts';
import { type Delivery, eventId } from '../expect/event.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import { type Change, waitForEvent } from './change-events.ts';
import { changesOfOneExperience } from './changes.ts';
import type { Inbox } from './inbox.ts';
import type { Participants } from './participants.ts';
import type { Reaction } from './receiver.ts';

/** A little more than a second, because the header webhook-timestamp has whole seconds. */
const SECOND_MS = 1100;
/** Longer than a delivery may be on its way. */
const LONG_MS = 10_000;
/** Asks for a pause, which no target has to make. */
const LATER: Reaction = { status: 503, headers: { 'retry-after': '1' } };

/**
 * Whether a delivery was sent at least a second after the first. It was if the one before was answered as late as that, however long the
 * deliveries were on their way on a busy machine. @param all the deliveries of an event in the order of arrival
 */
export function isSentLater({ at }: Delivery, index: number, all: readonly Delivery[]): boolean {
  const first = all[0]?.at ?? at;
  return at - first >= LONG_MS || (all[index - 1]?.at ?? first) - first >= SECOND_MS;
}

const isOfConnection = (type: EventType) => type.startsWith('experience.connection.');
const HALVES = [eventTypes.filter(isOfConnection), eventTypes.filter((type) => !isOfConnection(type))];

/**
 * Makes changes of every kind, through the API, in a portal and on the platform, and waits for the event of each at every subscription that
 * must get it: one to everything, and if the suite can subscribe, one to half of the types and one to the Experience.
 * @param failing whether the first deliveries of each event fail, so that the event is also repeated @returns each change once per subscription
 */
export async function everyEvent(participants: Participants, failing: boolean): Promise<readonly Change[]> {
  const { need, has, events, connections } = participants;
  const repeatMs = failing ? await need('events.repeats') : 0;
  let isOver = !failing;
  const open = (inbox: Inbox) => {
    failAtFirst(inbox, () => isOver);
    return inbox;
  };
  const everything = open(await events.subscribed());
  const ofTypes: Inbox[] = [];
  const ofExperience = new Map<string, Inbox>();
  const subscribe = async ({ experienceId }: { readonly experienceId: string }) => {
    if (!ofExperience.has(experienceId)) ofExperience.set(experienceId, open(await events.subscribe({ experienceId })));
  };
  if (has('subscriptions')) {
    for (const types of HALVES) ofTypes.push(open(await events.subscribe({ types })));
    await subscribe({ experienceId: await need('experience') });
    connections.onPair(subscribe);
  }
  const inboxesOf = ({ type, experienceId }: Change) =>
    [everything, ofTypes[isOfConnection(type) ? 0 : 1], ofExperience.get(experienceId)].filter((inbox) => inbox !== undefined);

  const all: Change[] = [];
  try {
    for await (const change of changesOfOneExperience({ ...participants, events: { ...events, subscribed: async () => everything } }))
      all.push(...inboxesOf(change).map((inbox) => ({ ...change, inbox })));
    for (const change of all) await waitForEvent(change);
    const deadline = performance.now() + repeatMs;
    if (failing) for (const change of all) await waitForRepeat(change, Math.max(0, deadline - performance.now()));
  } finally {
    isOver = true;
  }
  return all;
}

/** Acknowledges only a delivery that was sent at least a second after the first. One with another webhook-id counts as another event. */
function failAtFirst(inbox: Inbox, isOver: () => boolean): void {
  const known = new Map<string, Delivery[]>();
  inbox.answerWith((delivery) => {
    const all = [...(known.get(eventId(delivery)) ?? []), delivery];
    known.set(eventId(delivery), all);
    return isOver() || isSentLater(delivery, all.length - 1, all) ? undefined : LATER;
  });
}

/** Waits for a repeat that was sent at least a second later. An earlier one is enough if there is no other within `ms`. */
async function waitForRepeat(change: Change, ms: number): Promise<void> {
  const { inbox, type } = change;
  const deliveries = () => inbox.matching(change);
  await inbox
    .until(() => deliveries().find(isSentLater), `${type} is sent again after a failure`, ms)
    .catch(
      onRuleBroken(async (error) => {
        if (deliveries().length === 1) await inbox.notRepeated(error, 1, 'events.delivery.retries-non-2xx');
      }),
    );
}
