import type { components } from '../contract/generated/control.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { DeliveryRow } from '../store/delivery-list.ts';
import type { Tables } from '../store/schema.ts';

type Schemas = components['schemas'];

export function toDelivery(row: DeliveryRow, decisions: Decisions): Schemas['Delivery'] {
  return {
    id: row.id,
    webhookId: decisions['events.webhook-id'] === 'same' ? row.event_id : row.id,
    subscription: row.alias,
    subscriptionId: row.subscription_id,
    type: row.type,
    entityId: row.entity_id,
    state: row.state,
    attempts: Number(row.attempts),
    createdAt: row.created_at,
    ...(row.state === 'pending' && { nextAttemptAt: new Date(Number(row.due_at)).toISOString() }),
  };
}

export function toAttempt({ number, at, durationMs, status, error, nextAt }: Attempt): Schemas['Attempt'] {
  return {
    number,
    at,
    durationMs,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    ...(nextAt !== null && { nextAt }),
  };
}

export function toEvent(row: Tables['events']): Schemas['PublishedEvent'] {
  return {
    id: row.id,
    type: row.type,
    timestamp: row.timestamp,
    providerId: row.provider_id,
    experienceId: row.experience_id,
    entityId: row.entity_id,
    ...(row.actor !== null && { actor: row.actor }),
    data: JSON.parse(row.data) as unknown,
  };
}

/** Parses a delivery's body. Returns it as text if it is not JSON, because POST /_control/events/raw can send any text. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
