import { createHmac } from 'node:crypto';
import type { Decisions } from '../contract/generated/decisions.ts';
import { getSigningSecret } from './deliveries.ts';

interface DeliveryToSend {
  readonly webhookId: string;
  /** The time of sending, in milliseconds since the Unix epoch. */
  readonly sentAt: number;
  readonly body: string;
  readonly additional?: Readonly<Record<string, string>> | undefined;
  /** A secret with the prefix `whsec_`. Without a secret, the delivery is not signed. */
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

/** Returns the `webhook-signature` header's value (Standard Webhooks 1.0). @param timestamp Unix time in seconds */
export function signDelivery(secret: string, webhookId: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`;
}

interface DeliveryContent {
  readonly id: string;
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly body: string;
  /** This delivery's additional headers as a JSON object, or null. */
  readonly headers: string | null;
}

/** `sentAt` is kit time; `offset` is kit time minus wall time. Both are in milliseconds. */
export function createConfiguredHeaders(
  { id, eventId, subscriptionId, body, headers }: DeliveryContent,
  { sentAt, offset, secret }: { readonly sentAt: number; readonly offset: number; readonly secret: string | null | undefined },
  decisions: Decisions,
): Record<string, string> {
  const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
  // Verifiers refuse timestamps in the future, so the signed timestamp can be wall time instead of kit time.
  const isWallTime = isSigned && decisions['events.delivery.signed-timestamp'] === 'wall-time';
  return createDeliveryHeaders({
    webhookId: decisions['events.webhook-id'] === 'same' ? eventId : id,
    sentAt: isWallTime ? sentAt - offset : sentAt,
    body,
    additional: JSON.parse(headers ?? '{}') as Record<string, string>,
    secret: isSigned ? getSigningSecret({ id: subscriptionId, secret }) : undefined,
  });
}
