import type { components } from '../contract/generated/control.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
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

export function toAttempt({ number, at, duration_ms, status, error, next_at }: Tables['delivery_attempts']): Schemas['Attempt'] {
  return {
    number: Number(number),
    at,
    durationMs: Number(duration_ms),
    ...(status !== null && { status: Number(status) }),
    ...(error !== null && { error }),
    ...(next_at !== null && { nextAt: next_at }),
  };
}

/** Parses the body of a delivery. Returns the text if it is not JSON, because POST /_control/events/raw can send any text. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
