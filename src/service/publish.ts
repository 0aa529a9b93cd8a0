import type { components } from '../contract/generated/control.ts';
import { getReorderedTime } from '../domain/deliveries.ts';
import { createConfiguredHeaders } from '../domain/delivery-headers.ts';
import type { DomainEvent } from '../domain/events.ts';
import { formatInstant } from '../domain/instants.ts';
import { insertDelivery, insertEvent, insertReceived } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';
import type { Tables } from '../store/schema.ts';
import { incrementOrdinal, readMode, saveReorderWindowStart, subscriptionsToExperience } from '../store/subscriptions.ts';
import type { ServiceContext, WriteScope } from './context.ts';

/**
 * Puts a change's events into the outbox. `tx` must be the change's transaction, so that later changes do not affect the events.
 * @param changedAt ISO 8601 UTC
 */
export async function publish({ tx, context, actor }: WriteScope, events: readonly DomainEvent[], changedAt: string): Promise<void> {
  for (const { type, providerId, experienceId, entityId, data } of events) {
    const id = context.ids.uuid();
    // After several changes in one millisecond, updatedAt is ahead of the clock. An event is never older than the change that it reports.
    const timestamp = data.updatedAt > changedAt ? data.updatedAt : changedAt;
    await insertEvent(tx, {
      id,
      type,
      timestamp,
      provider_id: providerId,
      experience_id: experienceId,
      entity_id: entityId,
      data: JSON.stringify(data),
      actor: actor.kind,
    });
    for (const subscription of await subscriptionsToExperience(tx, { providerId, experienceId })) {
      if (!(JSON.parse(subscription.types) as string[]).includes(type)) continue;
      const envelope = { type, timestamp, subscriptionId: subscription.id, scope: { experienceId }, data };
      await deliver(tx, context, subscription, {
        id: context.ids.uuid(),
        event_id: id,
        subscription_id: subscription.id,
        body: JSON.stringify(envelope),
        created_at: timestamp,
      });
    }
  }
}

/** Stores a delivery. If the subscription has no destination and no delivery mode, the inbox receives the delivery at once. */
async function deliver(
  tx: Executor,
  { ids, clock, decisions }: ServiceContext,
  { url, secret, mode }: { readonly url: string | null; readonly secret: string | null; readonly mode: string | null },
  delivery: Pick<Tables['deliveries'], 'id' | 'event_id' | 'subscription_id' | 'body' | 'created_at'>,
): Promise<void> {
  const now = clock.now();
  const { id, event_id: eventId, subscription_id: subscriptionId, body } = delivery;
  if (url !== null || mode !== null) {
    await insertDelivery(tx, { ...delivery, ...(await scheduleFirstAttempt(tx, subscriptionId, mode, now)) });
    return;
  }
  const headers = createConfiguredHeaders(
    { id, eventId, subscriptionId, body, headers: null },
    { sentAt: now, offset: clock.offset, secret },
    decisions,
  );
  await insertReceived(
    tx,
    { ...delivery, due_at: now },
    { attemptId: ids.uuid(), at: formatInstant(now), headers: JSON.stringify(headers) },
  );
}

interface RawPayload {
  readonly subscription: Tables['subscriptions'];
  readonly type: string;
  readonly experienceId: string;
  readonly entityId: string;
  /** The body, sent unchanged. */
  readonly body: string;
  /** The event data that the control API shows. The receiver gets only `body`. */
  readonly data: unknown;
  /** Additional headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Kit time, in milliseconds. */
  readonly now: number;
}

/** Queues a payload for one subscription, without a change in the world. @returns the delivery's id */
export function publishRaw({ store, ids }: ServiceContext, payload: RawPayload): Promise<string> {
  const { subscription, type, experienceId, entityId, body, data, headers, now } = payload;
  const timestamp = formatInstant(now);
  return store.write(async (tx) => {
    const event = { id: ids.uuid(), type, timestamp, provider_id: subscription.provider_id };
    await insertEvent(tx, { ...event, experience_id: experienceId, entity_id: entityId, data: JSON.stringify(data), actor: null });
    const id = ids.uuid();
    await insertDelivery(tx, {
      id,
      event_id: event.id,
      subscription_id: subscription.id,
      body,
      headers: Object.keys(headers).length === 0 ? null : JSON.stringify(headers),
      created_at: timestamp,
      ...(await scheduleFirstAttempt(tx, subscription.id, await readMode(tx, subscription.id), now)),
    });
    return id;
  });
}

type DeliveryMode = components['schemas']['DeliveryMode'];

/**
 * @param mode the delivery mode as JSON, or null
 * @param now kit time, in milliseconds
 */
async function scheduleFirstAttempt(tx: Executor, subscriptionId: string, mode: string | null, now: number) {
  const { hold = false, delay = 0, reorder, seed = 0 } = mode === null ? {} : (JSON.parse(mode) as DeliveryMode);
  if (hold) return { state: 'held', due_at: now } as const;
  const dueTime = reorder ? await scheduleReordered(tx, subscriptionId, reorder.window, seed, now) : now;
  return { state: 'pending', due_at: dueTime + delay } as const;
}

async function scheduleReordered(tx: Executor, subscriptionId: string, window: number, seed: number, now: number): Promise<number> {
  const counter = await incrementOrdinal.first(tx, { subscriptionId });
  // Another writer has just removed the delivery mode.
  if (counter === undefined) return now;
  const { dueAt, opensWindow } = getReorderedTime(now, {
    window,
    seed,
    ordinal: Number(counter.ordinal) - 1,
    openedAt: Number(counter.openedAt),
  });
  if (opensWindow) await saveReorderWindowStart.executeWrite(tx, { subscriptionId, openedAt: now });
  return dueAt;
}
