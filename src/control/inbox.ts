import { isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { listReceived } from '../store/delivery-list.ts';
import { parseBody } from './delivery-views.ts';
import { findFilter } from './find-subscription.ts';
import type { ControlHandlers } from './handler.ts';

/** The inbox has the deliveries to subscriptions without a destination. Only the kit has one: the service delivers only by webhooks (Events). */
export const inbox: Pick<ControlHandlers, 'readInbox' | 'emptyInbox'> = {
  async readInbox({ query }, deps) {
    const subscription = await findFilter(query.subscription, deps);
    if (isFailure(subscription)) return subscription;
    const rows = await listReceived(deps.store.db, subscription.id);
    const body = rows.map((row): components['schemas']['Received'] => ({
      deliveryId: row.delivery_id,
      subscriptionId: row.subscription_id,
      receivedAt: row.received_at,
      headers: JSON.parse(row.headers) as Record<string, string>,
      body: parseBody(row.body),
    }));
    return { status: 200, body };
  },
  async emptyInbox(_, deps) {
    await deps.store.write((tx) => tx.deleteFrom('inbox').execute());
    return { status: 204 };
  },
};
