import { createHmac } from 'node:crypto';
import type { Decisions } from '../contract/generated/decisions.ts';
import { getSigningSecret } from './deliveries.ts';

export interface DeliveryToSend {
  readonly webhookId: string;
  /** The time of sending, in milliseconds since the Unix epoch. */
  readonly sentAt: number;
  readonly body: string;
  readonly additional?: Readonly<Record<string, string>> | undefined;
  /** The secret of a signed delivery, beginning with `whsec_`. Absent if deliveries are not signed. */
  readonly secret?: string | undefined;
}

/** Returns a delivery's headers (Events › Delivery headers). */
export function createDeliveryHeaders({ webhookId, sentAt, body, additional, secret }: DeliveryToSend): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1000));
  return {
    'content-type': 'application/json',
    ...additional,
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    ...(secret !== undefined && { 'webhook-signature': signDelivery(secret, webhookId, timestamp, body) }),
  };
}

/**
 * Returns the value of the `webhook-signature` header (Standard Webhooks 1.0).
 * @param timestamp Unix time in seconds, as in the `webhook-timestamp` header
 */
export function signDelivery(secret: string, webhookId: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`;
}

export interface DeliveryContent {
  readonly id: string;
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly body: string;
  /** This delivery's additional headers, as a JSON object; null if there are none. */
  readonly headers: string | null;
}

/**
 * Returns a delivery's headers, as the decisions require. `sentAt` is kit time, in milliseconds since the Unix epoch. `offset` is kit time
 * minus wall time, in milliseconds.
 */
export function createConfiguredHeaders(
  { id, eventId, subscriptionId, body, headers }: DeliveryContent,
  { sentAt, offset, secret }: { readonly sentAt: number; readonly offset: number; readonly secret: string | null | undefined },
  decisions: Decisions,
): Record<string, string> {
  const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
  // Kit time may be far ahead of wall time, and a verifier refuses a timestamp that is minutes ahead of its own clock. Therefore, the
  // decision `events.delivery.signed-timestamp` can select wall time.
  const isWallTime = isSigned && decisions['events.delivery.signed-timestamp'] === 'wall-time';
  return createDeliveryHeaders({
    webhookId: decisions['events.webhook-id'] === 'same' ? eventId : id,
    sentAt: isWallTime ? sentAt - offset : sentAt,
    body,
    additional: headers === null ? undefined : (JSON.parse(headers) as Record<string, string>),
    secret: isSigned ? getSigningSecret({ id: subscriptionId, secret }) : undefined,
  });
}
