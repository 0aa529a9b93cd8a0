import type { Inbox } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';
import { type RuleBroken, unlessBroken } from './broken.ts';
import { type Change, names, told } from './told.ts';

/** A subscription that is to get an event. @property where a phrase: "to a subscription of all types" */
interface Matching {
  readonly inbox: Inbox;
  readonly where: string;
}

/** Waits until a change that was told comes to another subscription, too. Where it was not told the check ends as not testable. @throws RuleBroken */
export async function mustReach(other: Matching, change: Change): Promise<void> {
  await told(change);
  await comes(other, change);
}

/** Waits until a change has come to each of them. @returns false where it came to none: it was not told. @throws RuleBroken where some missed it */
export async function reachesEach(matching: readonly Matching[], change: Change): Promise<boolean> {
  const missed: RuleBroken[] = [];
  await Promise.all(matching.map((each) => comes(each, change).catch(unlessBroken((error) => missed.push(error)))));
  const [first] = missed;
  if (first && missed.length < matching.length) throw first;
  return first === undefined;
}

/** Waits until a change has come there. @throws RuleBroken */
export function comes({ inbox, where }: Matching, { type, ids }: Change): Promise<Delivery> {
  return inbox.until(() => inbox.all({ type }).find((delivery) => names(delivery, ids)), `${type} is delivered ${where}`);
}
