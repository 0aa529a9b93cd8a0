import { type Delivery, isSentInLaterSecond, WEBHOOK_TIMESTAMP_STEP_MS } from '../../src/expect/event.ts';
import { identifyEvent } from '../expect/event.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import type { Change } from './change-events.ts';
import { makeChangesOfOneExperience } from './changes.ts';
import type { Inbox } from './inbox.ts';
import type { Participants } from './participants.ts';
import type { Reaction } from './receiver.ts';

/** Asks the target to wait before it retries. The target may ignore the request. */
const RETRY_LATER_RESPONSE = { status: 503, headers: { 'retry-after': '1' } } as const satisfies Reaction;

/**
 * Makes every kind of change, refuses the first delivery of each event, and waits until each event is delivered again. Also at a subscription
 * to one Experience, if the target has subscriptions.
 * @returns each change, once for each matching subscription
 */
export async function collectRepeatedEvents(participants: Participants): Promise<readonly Change[]> {
  const { need, has, events } = participants;
  const repeatMs = await need('events.repeats');
  let isOver = false;
  const open = (inbox: Inbox) => failFirstDeliveries(inbox, () => isOver);
  const everything = open(await events.openDefaultInbox());
  const openDefaultInbox = async () => everything;
  const experienceId = has('subscriptions') ? await need('experience') : undefined;
  const narrow = experienceId && open(await events.subscribe({ experienceId }));
  const all: Change[] = [];
  try {
    for await (const { ids, ...change } of makeChangesOfOneExperience({ ...participants, events: { ...events, openDefaultInbox } })) {
      // The change's other ids, such as the Experience's, can occur in several changes.
      const own = { ...change, ids: [ids[0]] as const };
      all.push(own, ...(narrow && change.experienceId === experienceId ? [{ ...own, inbox: narrow }] : []));
    }
    for (const change of all) await change.inbox.waitForEvent(change);
    const deadline = performance.now() + repeatMs;
    for (const change of all) await waitForRepeat(change, Math.max(0, deadline - performance.now()), has('events.idle'));
  } finally {
    isOver = true;
  }
  return all;
}

function failFirstDeliveries(inbox: Inbox, isOver: () => boolean): Inbox {
  const known = new Map<string, Delivery[]>();
  inbox.setReaction((delivery) => {
    const all = [...(known.get(identifyEvent(delivery)) ?? []), delivery];
    known.set(identifyEvent(delivery), all);
    if (isOver() || isSentInLaterSecond(delivery, all.length - 1, all)) return undefined;
    // Delay the response to the inbox's first delivery, so that even an immediate retry is sent at least a second later.
    return known.size === 1 && all.length === 1 ? { ...RETRY_LATER_RESPONSE, afterMs: WEBHOOK_TIMESTAMP_STEP_MS } : RETRY_LATER_RESPONSE;
  });
  // A missing event breaks no rule, because a target may delay an endpoint's events while another delivery to the endpoint fails.
  const waitForEvent: Inbox['waitForEvent'] = (match, isRight = () => true) =>
    inbox
      .waitUntil(() => inbox.filterDeliveries(match).find(isRight), 'the event is delivered')
      .catch(onRuleBroken(() => endAsNotTestable('an event was not delivered while other deliveries failed')));
  return { ...inbox, waitForEvent };
}

function hasSeveralPendingEvents({ deliveries }: Inbox): boolean {
  return [...Map.groupBy(deliveries, identifyEvent).values()].filter((all) => !all.some(isSentInLaterSecond)).length > 1;
}

/**
 * Waits up to `ms` milliseconds for a repeat sent at least one second after the first delivery. If none arrives, accepts an earlier repeat.
 * @param hasIdleReport whether the target reports when no delivery is pending
 */
async function waitForRepeat(change: Change, ms: number, hasIdleReport: boolean): Promise<void> {
  const { inbox, type } = change;
  const listDeliveries = () => inbox.filterDeliveries(change);
  await inbox
    .waitUntil(() => listDeliveries().find(isSentInLaterSecond), `${type} is sent again after a failure`, ms)
    .catch(
      onRuleBroken(async (error) => {
        if (listDeliveries().length > 1) return;
        // While the target retries one delivery, it may hold back the endpoint's next ones.
        if (!hasIdleReport && hasSeveralPendingEvents(inbox)) endAsNotTestable('a delivery was not repeated while other deliveries failed');
        await inbox.handleMissingRepeat(error, 1, 'events.delivery.retries-non-2xx');
      }),
    );
}
