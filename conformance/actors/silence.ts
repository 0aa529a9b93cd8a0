import { compareInstants, isSameInstant } from '../expect/compare.ts';
import { type Delivery, dataOf, type EventMatch, eventId, eventIds, eventOf, matches, mentions } from '../expect/event.ts';
import { must } from '../expect/rule-broken.ts';
import type { Inbox } from './inbox.ts';

/** Selects the events that must not come. */
interface Unwanted extends EventMatch {
  /** Whether only this check uses the ids, and the last event about each was delivered. If not, late events may contain them. */
  readonly isOwn?: true;
}

/** @returns a function that tells whether a delivery is of a new event, and not a repeat of one that the inbox already has */
export function newEvents(inbox: Inbox): (delivery: Delivery) => boolean {
  const known = eventIds(inbox.deliveries);
  return (delivery) => !known.has(eventId(delivery));
}

/**
 * Collects the events that an action causes. Late events of earlier changes are left out:
 * - events about an id in `own`, if their updatedAt is before that of an event of the same id that came before the action;
 * - events about other ids, if their timestamp is before that of a change that was made right before the action.
 *
 * The events of changes that prepared the check must have been delivered before the call.
 * @param own ids that only this check uses @returns the new events, once no more are likely to come
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

/** Whether `first` is earlier. False if one is missing, which breaks another rule, or if they differ only by rounding to seconds. */
function isBefore(first: unknown, second: unknown): boolean {
  return typeof first === 'string' && typeof second === 'string' && compareInstants(first, second) < 0 && !isSameInstant(first, second);
}

/** Expects `action` to publish none of these events (collectNewEvents). @param expected continues "Expected that …" @throws RuleBroken */
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
