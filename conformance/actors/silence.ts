import { compareInstants, isSameInstant } from '../expect/compare.ts';
import { type Delivery, dataOf, type EventMatch, eventId, eventIds, eventOf, matches, mentions } from '../expect/event.ts';
import { must } from '../expect/rule-broken.ts';
import type { Inbox } from './inbox.ts';

/** Events that must not come: about any of the ids, and of the type if there is one. */
interface Unwanted extends EventMatch {
  /** The ids belong to this check alone, and the event of the last change to each was delivered. Otherwise earlier events may be about them. */
  readonly isOwn?: true;
}

/** @returns whether a delivery is of an event that the inbox does not have yet. Repeats have the webhook-id of the first delivery. */
export function newEvents(inbox: Inbox): (delivery: Delivery) => boolean {
  const known = eventIds(inbox.deliveries);
  return (delivery) => !known.has(eventId(delivery));
}

/**
 * Collects the events that an action causes. Events of earlier changes may still come late and do not count:
 * - about the check's own ids, those whose updatedAt is before that of a delivery which came before the action; their timestamp excuses nothing;
 * - about other ids, those whose timestamp is before that of a change that was made right before the action, by the clock of the target.
 *
 * The events of what was arranged must have been delivered before.
 * @param own ids of this check alone @returns the new events, once no more are likely to come
 */
export async function collectNewEvents(
  inbox: Inbox,
  action: () => Promise<unknown>,
  own: readonly string[] = [],
): Promise<readonly Delivery[]> {
  const { timestamp: begun } = eventOf(await inbox.settle());
  const [isNew, earlier] = [newEvents(inbox), [...inbox.deliveries]];
  const isOfEarlierChange = (delivery: Delivery, id: string) =>
    earlier.some((each) => mentions(each, [id]) && isBefore(dataOf(delivery).updatedAt, dataOf(each).updatedAt));
  const isLate = (delivery: Delivery) => {
    const about = own.filter((id) => mentions(delivery, [id]));
    return about.length > 0 ? about.some((id) => isOfEarlierChange(delivery, id)) : isBefore(eventOf(delivery).timestamp, begun);
  };
  await action();
  await inbox.settle();
  return inbox.deliveries.filter((delivery) => isNew(delivery) && !isLate(delivery));
}

/** False if one is missing, which breaks another rule. A time in whole seconds is not before a fraction of the same second. */
function isBefore(first: unknown, second: unknown): boolean {
  return typeof first === 'string' && typeof second === 'string' && compareInstants(first, second) < 0 && !isSameInstant(first, second);
}

/** Expects that an action publishes none of these events. See collectNewEvents. @param expected a clause @throws RuleBroken */
export async function expectSilence(
  inbox: Inbox,
  unwanted: readonly Unwanted[],
  action: () => Promise<unknown>,
  expected: string,
): Promise<void> {
  const own = unwanted.flatMap(({ ids, isOwn }) => (isOwn ? ids : []));
  const isUnwanted = (delivery: Delivery) => unwanted.some((match) => matches(delivery, match));
  const found = (await collectNewEvents(inbox, action, own)).find(isUnwanted);
  must(found === undefined, `${expected}. Delivered:\n${found?.text}`);
}
