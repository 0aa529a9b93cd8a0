import type { components } from '../contract/generated/control.ts';
import { columns } from './in-words.ts';

type Delivery = components['schemas']['Delivery'];

const HEAD = ['TIME', 'STATE', 'ATTEMPTS', 'TYPE', 'SUBSCRIPTION', 'NEXT ATTEMPT', 'ID'];

/** Deliveries below one another, under the names of the columns. Times are kit time. */
export function deliveryTable(deliveries: readonly Delivery[]): string {
  return columns([HEAD, ...deliveries.map(rowOf)]);
}

/** Who a delivery is for; a subscription that was deleted has no alias any more. */
export function recipientOf({ subscription, subscriptionId }: Delivery): string {
  return subscription ?? subscriptionId;
}

function rowOf(delivery: Delivery): string[] {
  const { createdAt, state, attempts, type, nextAttemptAt = '-', id } = delivery;
  return [createdAt, state, String(attempts), type, recipientOf(delivery), nextAttemptAt, id];
}
