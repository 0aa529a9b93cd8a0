import type { EventType } from '../../src/contract/generated/events.ts';
import { dataOf, eventOf, type Inbox } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';
import { must } from './broken.ts';
import { compareInstants, isSameInstant } from './instants.ts';
import { names } from './told.ts';

/** Whether a delivery is of an event that is new since a moment. */
export type IsNews = (delivery: Delivery) => boolean;

/** What is to tell of something, if anything is: of one type, if not of any. */
interface Telling {
  readonly type?: EventType;
  /** Of what it is about, any of them. */
  readonly ids: readonly string[];
  /** Whether these were made for this alone, and the last change of each was heard; others may have been about the rest before. */
  readonly isOwn?: true;
}

/** By what an inbox has heard up to now: what comes again comes under the webhook-id of the first. */
export function unheard(inbox: Inbox): IsNews {
  const heard = eventIds(inbox.deliveries);
  return (delivery) => !heard.has(eventId(delivery));
}

/**
 * The same after a change that was made and told now, so that what comes late is known as well. Of the check's own it tells of an earlier change, by its
 * updatedAt: its timestamp excuses nothing. Of ids that other checks used, too, it happened before the change that was made now, by the target's own
 * clock; within the same tick of that clock it is news.
 */
async function unheardAndLater(inbox: Inbox, own: readonly string[]): Promise<IsNews> {
  const { timestamp: now } = eventOf(await inbox.settled());
  const [isUnheard, heard] = [unheard(inbox), [...inbox.deliveries]];
  const isOfEarlierChange = (delivery: Delivery, id: string) =>
    heard.some((each) => names(each, [id]) && isBefore(dataOf(delivery).updatedAt, dataOf(each).updatedAt));
  return (delivery) => {
    const owned = own.filter((id) => names(delivery, [id]));
    const isLate = owned.length > 0 ? owned.some((id) => isOfEarlierChange(delivery, id)) : isBefore(eventOf(delivery).timestamp, now);
    return isUnheard(delivery) && !isLate;
  };
}

/** Where either is none, which is the matter of another rule, the webhook-id is all there is. Whole seconds are not before a part of the same one. */
function isBefore(first: unknown, second: unknown): boolean {
  return typeof first === 'string' && typeof second === 'string' && compareInstants(first, second) < 0 && !isSameInstant(first, second);
}

/**
 * What comes of something that is done: each delivery that is news. What was arranged for it has to be heard before, as far as it is told in the same
 * way. @param own ids as in Telling. @returns all that came, once it is likely that no more comes
 */
export async function newsOf(inbox: Inbox, act: () => Promise<unknown>, own: readonly string[] = []): Promise<readonly Delivery[]> {
  const isNews = await unheardAndLater(inbox, own);
  await act();
  await inbox.settled();
  return inbox.deliveries.filter(isNews);
}

/** Sees that something is done of which nothing is published. See newsOf. @param expected a clause. @throws RuleBroken */
export async function mustBeSilent(
  inbox: Inbox,
  tellings: readonly Telling[],
  act: () => Promise<unknown>,
  expected: string,
): Promise<void> {
  const own = tellings.flatMap(({ ids, isOwn }) => (isOwn ? ids : []));
  const isUnwanted = (delivery: Delivery) =>
    tellings.some(({ type, ids }) => (type === undefined || eventOf(delivery).type === type) && names(delivery, ids));
  const unwanted = (await newsOf(inbox, act, own)).find(isUnwanted);
  must(unwanted === undefined, `${expected}. It did:\n${unwanted?.text}`);
}

/** The webhook-ids of what came of an event. */
export function eventIds(deliveries: readonly Delivery[]): ReadonlySet<string> {
  return new Set(deliveries.map(eventId));
}

/** Without a webhook-id, which is the matter of another rule, the event is known by its text. */
const eventId = ({ headers, text }: Delivery): string => headers['webhook-id'] ?? text;
