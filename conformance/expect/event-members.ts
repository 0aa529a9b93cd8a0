import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { type Finding, validator } from '../../src/contract/validators.ts';
import { eventOf, isObject } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';
import { notTestable } from '../target/not-testable.ts';
import { must, RuleBroken } from './broken.ts';
import { type Change, names, told, untold } from './told.ts';

/** Judges one member of the event by the contract. @param pointer of the member, such as /data/accountId. @throws RuleBroken */
export async function mustCarry(change: Change, pointer: string): Promise<void> {
  const delivery = await told(change);
  // An event without data is the matter of another rule.
  if (pointer.startsWith('/data/') && !isObject(eventOf(delivery).data)) notTestable(`the data of ${change.type}`);
  const wrong = wrongAt(pointer, validator(schemaReferences.events[change.type])(eventOf(delivery)));
  if (wrong) throw new RuleBroken(`${pointer} of ${change.type} ${wrong.message}.\nDelivered: ${delivery.text.slice(0, 500)}`);
}

/** Waits for the event of a change, or for one whose type cannot be one. @throws RuleBroken where such a one comes */
export async function mustHaveType({ inbox, type, ids }: Change): Promise<void> {
  const isTyped = (delivery: Delivery) =>
    validator(schemaReferences.events[type])(eventOf(delivery)).every(({ pointer, keyword }) => pointer !== '/type' || keyword === 'const');
  const found = await inbox
    .until(
      () => inbox.deliveries.find((each) => names(each, ids) && (eventOf(each).type === type || !isTyped(each))),
      `${type} is delivered`,
    )
    .catch(untold(type));
  must(isTyped(found), `an event carries a type in the form domain.entity.action, not ${JSON.stringify(eventOf(found).type)}`);
}

/** Judges one header of the delivery by the contract. @param name in lower case. @returns its value. @throws RuleBroken */
export function mustHaveHeader({ headers }: Delivery, name: 'webhook-id' | 'webhook-timestamp'): string {
  const wrong = wrongAt(`/${name}`, validator(schemaReferences.deliveryHeaders)(headers));
  must(!wrong, `a delivery carries ${name}: it ${wrong?.message}, and is ${headers[name] ?? 'not there'}`);
  return headers[name] ?? '';
}

function wrongAt(pointer: string, findings: readonly Finding[]): Finding | undefined {
  return findings.find((finding) => finding.pointer === pointer);
}
