import { must } from './broken.ts';
import type { Inbox } from './inbox.ts';
import type { Delivery } from './receiver.ts';
import { names } from './told.ts';

/**
 * Sees that something is done of which nothing is published. What came before, and comes again, is nothing new.
 * @param ids of what it is done to, each known to nobody else. @param expected a clause. @throws RuleBroken
 */
export async function mustBeSilent(inbox: Inbox, ids: readonly string[], act: () => Promise<void>, expected: string): Promise<void> {
  await inbox.settled();
  const known = new Set(inbox.deliveries.map(eventId));
  await act();
  await inbox.settled();
  const news = inbox.deliveries.find((delivery) => !known.has(eventId(delivery)) && names(delivery, ids));
  must(news === undefined, `${expected}. It did:\n${news?.text}`);
}

/** The webhook-ids of what came of an event. */
export function eventIds(deliveries: readonly Delivery[]): ReadonlySet<string> {
  return new Set(deliveries.map(eventId));
}

/** Without a webhook-id, which is the matter of another rule, the event is known by its text. */
const eventId = ({ headers, text }: Delivery): string => headers['webhook-id'] ?? text;
