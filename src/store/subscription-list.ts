import type { Executor } from './engine.ts';
import type { DeliveryState, Tables } from './schema.ts';

/** A subscription with its delivery mode as JSON, or null. */
export type SubscriptionRow = Tables['subscriptions'] & { readonly mode: string | null };

/** All of them by alias, or the one with this id. */
export function subscriptionsWithModes(db: Executor, id?: string): Promise<SubscriptionRow[]> {
  const query = db
    .selectFrom('subscriptions')
    .leftJoin('delivery_modes', 'delivery_modes.subscription_id', 'subscriptions.id')
    .selectAll('subscriptions')
    .select('mode')
    .orderBy('alias');
  return (id === undefined ? query : query.where('id', '=', id)).execute();
}

interface StateCount {
  readonly subscriptionId: string;
  readonly state: DeliveryState;
  readonly count: number;
}

/** How many deliveries of each subscription, or of one, are in which state; none where there are none. */
export async function countByState(db: Executor, subscriptionId?: string): Promise<StateCount[]> {
  const query = db
    .selectFrom('deliveries')
    .select(['subscription_id', 'state'])
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy(['subscription_id', 'state']);
  const rows = await (subscriptionId === undefined ? query : query.where('subscription_id', '=', subscriptionId)).execute();
  return rows.map(({ subscription_id, state, count }) => ({ subscriptionId: subscription_id, state, count: Number(count) }));
}
