import type { EventType } from '../../src/contract/generated/events.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { type Finding, validator } from '../../src/contract/validators.ts';
import { must, RuleBroken } from './broken.ts';
import { dataOf, eventOf, type Inbox, type Members } from './inbox.ts';
import { notTestable } from './not-testable.ts';
import type { Delivery } from './receiver.ts';

/**
 * A change that was made, and whose event is to come. It is found by any of the ids, wherever they stand in the event: each check judges one
 * member, which may be the one that is wrong.
 */
export interface Change {
  readonly inbox: Inbox;
  readonly type: EventType;
  readonly ids: readonly string[];
}

/** Whether a delivery names one of the ids anywhere in its body. */
export function names({ json, text }: Delivery, ids: readonly string[]): boolean {
  // Written anew: there are many ways to escape a character in JSON.
  const written = (json === undefined ? text : JSON.stringify(json)).toLowerCase();
  return ids.some((id) => written.includes(id.toLowerCase()));
}

/** Waits for the event of a change. Where none comes the check ends as not testable: that it is published is the matter of other rules. */
export function told({ inbox, type, ids }: Change): Promise<Delivery> {
  return inbox
    .until(() => inbox.all({ type }).find((delivery) => names(delivery, ids)), `${type} is delivered`)
    .catch(() => notTestable(`${type}, which was not delivered after the change`));
}

/**
 * Waits for an event of the change that is right: where several may be told, one of them has to be.
 * @param expected a clause. @throws RuleBroken where there are events of the change and none is right
 */
export async function mustTell(change: Change, isRight: (data: Members, delivery: Delivery) => boolean, expected: string): Promise<void> {
  const { inbox, type, ids } = change;
  const ofChange = () => inbox.all({ type }).filter((delivery) => names(delivery, ids));
  try {
    await inbox.until(() => ofChange().find((delivery) => isRight(dataOf(delivery), delivery)), `${type} tells that ${expected}`);
  } catch (error) {
    if (ofChange().length === 0) await told(change);
    throw error;
  }
}

/** Judges one member of the event by the contract. @param pointer of the member, such as /data/accountId. @throws RuleBroken */
export async function mustCarry(change: Change, pointer: string): Promise<void> {
  const delivery = await told(change);
  // An event without data is the matter of another rule.
  if (pointer.startsWith('/data/') && !isObject(eventOf(delivery).data)) notTestable(`the data of ${change.type}`);
  const [wrong] = wrongAt(pointer, validator(schemaReferences.events[change.type])(eventOf(delivery)));
  if (wrong) throw new RuleBroken(`${wrong.pointer} of ${change.type} ${wrong.message}.\nDelivered: ${delivery.text.slice(0, 500)}`);
}

/** Judges one header of the delivery by the contract. @param name in lower case. @returns its value. @throws RuleBroken */
export function mustHaveHeader({ headers }: Delivery, name: 'webhook-id' | 'webhook-timestamp'): string {
  const [wrong] = wrongAt(`/${name}`, validator(schemaReferences.deliveryHeaders)(headers));
  must(!wrong, `a delivery carries ${name}: it ${wrong?.message}, and is ${headers[name] ?? 'not there'}`);
  return headers[name] ?? '';
}

/** What is wrong with a member, or with what is in it. */
function wrongAt(pointer: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => `${finding.pointer}/`.startsWith(`${pointer}/`));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
