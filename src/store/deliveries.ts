import { prepared } from './prepared.ts';
import type { DeliveryState } from './schema.ts';

type Outcome = { id: string; claim: string; state: DeliveryState; attempts: number; dueAt: number };

/** Writes down what an attempt came to. Changes nothing, and says 0, where the claim was lost. */
export const settle = prepared((db, p: Outcome) =>
  db
    .updateTable('deliveries')
    .set({ state: p.state, attempts: p.attempts, due_at: p.dueAt, claim: null, claimed_until: null })
    .where('id', '=', p.id)
    .where('claim', '=', p.claim),
);

export interface Attempt {
  readonly id: string;
  readonly deliveryId: string;
  /** From 1. */
  readonly number: number;
  /** Kit time, ISO 8601 UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** Kit time of the next one; null where there is none. */
  readonly nextAt: string | null;
}

export const insertAttempt = prepared((db, p: { -readonly [Member in keyof Attempt]: Attempt[Member] }) =>
  db.insertInto('delivery_attempts').values({
    id: p.id,
    delivery_id: p.deliveryId,
    number: p.number,
    at: p.at,
    duration_ms: p.durationMs,
    status: p.status,
    error: p.error,
    next_at: p.nextAt,
  }),
);

type Received = { id: string; deliveryId: string; subscriptionId: string; receivedAt: string; headers: string; body: string };

export const insertReceived = prepared((db, p: Received) =>
  db.insertInto('inbox').values({
    id: p.id,
    delivery_id: p.deliveryId,
    subscription_id: p.subscriptionId,
    received_at: p.receivedAt,
    headers: p.headers,
    body: p.body,
  }),
);

/** Where deliveries of a subscription are sent, the secret that signs them, and its delivery mode as JSON; null where it has none. */
export const destinationOf = prepared((db, p: { id: string }) =>
  db.selectFrom('subscriptions').select(['destination_url as url', 'secret', 'mode']).where('id', '=', p.id),
);
