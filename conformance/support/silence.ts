import type { EventType } from '../../src/contract/generated/events.ts';
import { must } from './broken.ts';
import { eventOf, type Inbox } from './inbox.ts';
import { compareInstants } from './instants.ts';
import type { Delivery } from './receiver.ts';
import { names } from './told.ts';

/** Whether a delivery is of an event that is new since a moment. */
export type IsNews = (delivery: Delivery) => boolean;

/** What is to tell of something, if anything is: of one type, if not of any. */
interface Telling {
  readonly type?: EventType;
  /** Of what it is about, any of them. */
  readonly ids: readonly string[];
}

/** By what an inbox has heard up to now: what comes again comes under the webhook-id of the first. */
export function unheard(inbox: Inbox): IsNews {
  const heard = eventIds(inbox.deliveries);
  return (delivery) => !heard.has(eventId(delivery));
}

/**
 * The same after a change that was made and told now, so that what comes late is known as well, also of another check that used the same ids: it
 * happened before that change did, by the target's own clock. Within the same tick of that clock it is news.
 */
async function unheardAndLater(inbox: Inbox): Promise<IsNews> {
  const { timestamp: now } = eventOf(await inbox.settled());
  const isUnheard = unheard(inbox);
  return (delivery) => {
    const { timestamp } = eventOf(delivery);
    // Where either has none, which is the matter of another rule, the webhook-id is all there is.
    const isBefore = typeof timestamp === 'string' && typeof now === 'string' && compareInstants(timestamp, now) < 0;
    return isUnheard(delivery) && !isBefore;
  };
}

/**
 * What comes of something that is done: each delivery that is news. What was arranged for it has to be heard before, as far as it is told in the same
 * way. @returns all that came, once it is likely that no more comes
 */
export async function newsOf(inbox: Inbox, act: () => Promise<unknown>): Promise<readonly Delivery[]> {
  const isNews = await unheardAndLater(inbox);
  await act();
  await inbox.settled();
  return inbox.deliveries.filter(isNews);
}

/** Sees that something is done of which nothing is published. See newsOf. @param expected a clause. @throws RuleBroken */
export async function mustBeSilent(inbox: Inbox, { type, ids }: Telling, act: () => Promise<unknown>, expected: string): Promise<void> {
  const news = await newsOf(inbox, act);
  const unwanted = news.find((delivery) => (type === undefined || eventOf(delivery).type === type) && names(delivery, ids));
  must(unwanted === undefined, `${expected}. It did:\n${unwanted?.text}`);
}

/** The webhook-ids of what came of an event. */
export function eventIds(deliveries: readonly Delivery[]): ReadonlySet<string> {
  return new Set(deliveries.map(eventId));
}

/** Without a webhook-id, which is the matter of another rule, the event is known by its text. */
const eventId = ({ headers, text }: Delivery): string => headers['webhook-id'] ?? text;
