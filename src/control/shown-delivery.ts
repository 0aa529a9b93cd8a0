import type { components } from '../contract/generated/control.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { DeliveryRow } from '../store/delivery-list.ts';
import type { Tables } from '../store/schema.ts';

type Schemas = components['schemas'];

/** A delivery as the operator sees it. */
export function shownDelivery(row: DeliveryRow, decisions: Decisions): Schemas['Delivery'] {
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

/** What is sent, as JSON where it is that: the operator may have made up something else. */
export function shownBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** An attempt as the operator sees it. */
export function shownAttempt({ number, at, duration_ms, status, error, next_at }: Tables['delivery_attempts']): Schemas['Attempt'] {
  return {
    number: Number(number),
    at,
    durationMs: Number(duration_ms),
    ...(status !== null && { status: Number(status) }),
    ...(error !== null && { error }),
    ...(next_at !== null && { nextAt: next_at }),
  };
}
