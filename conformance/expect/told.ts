import type { EventType } from '../../src/contract/generated/events.ts';
import { dataOf, type Inbox, type Members } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';
import { notTestable } from '../target/not-testable.ts';
import { unlessBroken } from './broken.ts';
import { sameId } from './same-id.ts';

/**
 * A change that was made, and whose event is to come. It is found by any of the ids, wherever they stand in the event: each check judges one
 * member, which may be the one that is wrong.
 */
export interface Change {
  readonly inbox: Inbox;
  readonly type: EventType;
  readonly ids: readonly string[];
  /** The Experience that it is about. */
  readonly experienceId: string;
}

/** Whether a delivery names one of the ids anywhere in its body. */
export function names({ json, text }: Delivery, ids: readonly string[]): boolean {
  // Written anew: there are many ways to escape a character in JSON.
  const written = (json === undefined ? text : JSON.stringify(json)).toLowerCase();
  return ids.some((id) => written.includes(id.toLowerCase()));
}

/**
 * Waits for the event of a change. Where none comes the check ends as not testable: that it is published is the matter of other rules.
 * @param isOf which deliveries may be of it, if not all: where the same was told before
 */
export function told({ inbox, type, ids }: Change, isOf: (delivery: Delivery) => boolean = () => true): Promise<Delivery> {
  const ofChange = () => inbox.all({ type }).find((delivery) => names(delivery, ids) && isOf(delivery));
  return inbox.until(ofChange, `${type} is delivered`).catch(untold(type));
}

/** What is done where waiting for the event of a change was in vain: the check ends as not testable. */
export function untold(type: EventType): (error: unknown) => never {
  return unlessBroken(() => notTestable(`${type}, which was not delivered after the change`));
}

/**
 * Waits for an event of the change that is right: where several may be told, one of them has to be.
 * @param expected a clause. @returns the one that is right. @throws RuleBroken where there are events of the change and none is right
 */
export async function mustTell(
  change: Change,
  isRight: (data: Members, delivery: Delivery) => boolean,
  expected: string,
): Promise<Delivery> {
  const { inbox, type, ids } = change;
  const ofChange = () => inbox.all({ type }).filter((delivery) => names(delivery, ids));
  try {
    return await inbox.until(() => ofChange().find((delivery) => isRight(dataOf(delivery), delivery)), `${type} tells that ${expected}`);
  } catch (error) {
    if (ofChange().length === 0) untold(type)(error);
    throw error;
  }
}

/** The members as they are told, ids in any letter case. @throws RuleBroken */
export async function mustSay(change: Change, members: Readonly<Record<string, string>>): Promise<void> {
  const shown = Object.entries(members).map(([name, value]) => `${name} is ${value}`);
  await mustTell(change, (data) => Object.entries(members).every(([name, value]) => sameId(data[name], value)), shown.join(' and '));
}
