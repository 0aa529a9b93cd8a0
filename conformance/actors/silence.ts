import { compareInstants, isSameInstant } from '../../src/contract/instants.ts';
import { type Delivery, parseEvent, parseEventData } from '../../src/expect/event.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { collectEventIds, containsAnyId, type EventMatch, identifyEvent, matchesEvent } from '../expect/event.ts';
import type { Inbox } from './inbox.ts';

interface UnwantedEvent extends EventMatch {
  /** True if no other check uses the ids, and if all earlier events about them have been delivered. */
  readonly isOwn?: true;
}

export function createNewEventFilter(inbox: Inbox): (delivery: Delivery) => boolean {
  const known = collectEventIds(inbox.deliveries);
  return (delivery) => !known.has(identifyEvent(delivery));
}

/**
 * Collects the events that an action causes, without late events about earlier changes. Before calling this function, wait for the events
 * about the check's own changes.
 * @param own ids that only this check uses
 */
export async function collectNewEvents(
  inbox: Inbox,
  action: () => Promise<unknown>,
  own: readonly string[] = [],
): Promise<readonly Delivery[]> {
  const { timestamp: begun } = parseEvent(await inbox.settle());
  const [isNew, earlier] = [createNewEventFilter(inbox), [...inbox.deliveries]];
  const isOfEarlierChange = (delivery: Delivery, id: string) =>
    earlier.some((each) => containsAnyId(each, [id]) && isBefore(parseEventData(delivery).updatedAt, parseEventData(each).updatedAt));
  const isLate = (delivery: Delivery) => {
    const about = own.filter((id) => containsAnyId(delivery, [id]));
    return about.length > 0 ? about.some((id) => isOfEarlierChange(delivery, id)) : isBefore(parseEvent(delivery).timestamp, begun);
  };
  await action();
  await inbox.settle();
  return inbox.deliveries.filter((delivery) => isNew(delivery) && !isLate(delivery));
}

/** Whether `first` is certainly earlier than `second`, allowing for rounding to seconds. False if a value is missing. */
export function isBefore(first: unknown, second: unknown): boolean {
  return typeof first === 'string' && typeof second === 'string' && compareInstants(first, second) < 0 && !isSameInstant(first, second);
}

/**
 * @param expected the clause after "Expected that" in the error message
 * @throws RuleBroken
 */
export async function expectSilence(
  inbox: Inbox,
  unwanted: readonly UnwantedEvent[],
  action: () => Promise<unknown>,
  expected: string,
): Promise<void> {
  const own = unwanted.flatMap(({ ids, isOwn }) => (isOwn ? ids : []));
  const isUnwanted = (delivery: Delivery) => unwanted.some((match) => matchesEvent(delivery, match));
  const found = (await collectNewEvents(inbox, action, own)).find(isUnwanted);
  must(found === undefined, `${expected}. Delivered:\n${found?.text}`);
}
