import type { DomainEvent } from '../domain/events.ts';
import type { Executor } from '../store/engine.ts';
import { insertDelivery, insertEvent, subscriptionsFor } from '../store/outbox.ts';
import type { ServiceContext } from './context.ts';
import { firstAttempt } from './first-attempt.ts';

/**
 * Puts events into the outbox, in the transaction that caused them: payload and subscriptions are frozen here, whatever changes until they are sent.
 *
 * @param timestamp when it happened, ISO 8601 UTC: the envelope's `timestamp`.
 */
export async function publish(tx: Executor, context: ServiceContext, events: readonly DomainEvent[], timestamp: string): Promise<void> {
  for (const event of events) {
    const { experience } = event;
    const id = context.ids.uuid();
    const data = JSON.stringify(event.data);
    await insertEvent(tx, {
      id,
      type: event.type,
      timestamp,
      providerId: experience.providerId,
      experienceId: experience.id,
      entityId: event.entityId,
      data,
    });
    for (const subscription of await subscriptionsFor(tx, { providerId: experience.providerId, experienceId: experience.id })) {
      if (!(JSON.parse(subscription.types) as string[]).includes(event.type)) continue;
      const envelope = {
        type: event.type,
        timestamp,
        subscriptionId: subscription.id,
        scope: { experienceId: experience.id },
        data: event.data,
      };
      await insertDelivery(tx, {
        id: context.ids.uuid(),
        eventId: id,
        subscriptionId: subscription.id,
        body: JSON.stringify(envelope),
        createdAt: timestamp,
        ...(await firstAttempt(tx, subscription.id, subscription.mode, context.clock.now())),
      });
    }
  }
}
