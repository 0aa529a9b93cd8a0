import { instant } from '../domain/instants.ts';
import { readMode } from '../store/delivery-modes.ts';
import { insertDelivery, insertEvent } from '../store/outbox.ts';
import type { Tables } from '../store/schema.ts';
import type { ServiceContext } from './context.ts';
import { firstAttempt } from './first-attempt.ts';

/** A payload that was made up. */
export interface RawPayload {
  readonly subscription: Tables['subscriptions'];
  readonly type: string;
  readonly experienceId: string;
  readonly entityId: string;
  /** As it will be sent. */
  readonly body: string;
  /** What it says that happened, for whoever lists events. */
  readonly data: unknown;
  /** Beside those of every delivery; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Kit time, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Puts a payload that nothing in the world caused into the outbox, for one subscription: from there on it is a delivery like any other, and the
 * delivery mode of the subscription holds for it.
 *
 * @returns the id of the delivery.
 */
export function publishRaw({ store, ids }: ServiceContext, payload: RawPayload): Promise<string> {
  const { subscription, type, experienceId, entityId, body, data, headers, now } = payload;
  const subscriptionId = subscription.id;
  return store.write(async (tx) => {
    const eventId = ids.uuid();
    const timestamp = instant(now);
    const providerId = subscription.provider_id;
    await insertEvent(tx, { id: eventId, type, timestamp, providerId, experienceId, entityId, data: JSON.stringify(data) });
    const mode = (await readMode(tx, subscriptionId)) ?? null;
    const id = ids.uuid();
    await insertDelivery(tx, {
      id,
      eventId,
      subscriptionId,
      body,
      headers: Object.keys(headers).length === 0 ? null : JSON.stringify(headers),
      createdAt: timestamp,
      ...(await firstAttempt(tx, subscriptionId, mode, now)),
    });
    return id;
  });
}
