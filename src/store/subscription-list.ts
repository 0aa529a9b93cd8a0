import type { Executor } from './engine.ts';
import type { DeliveryState, Tables } from './schema.ts';

/** All subscriptions by alias, or the one with this id. */
export function listSubscriptions(db: Executor, id?: string): Promise<Tables['subscriptions'][]> {
  const query = db.selectFrom('subscriptions').selectAll().orderBy('alias');
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
