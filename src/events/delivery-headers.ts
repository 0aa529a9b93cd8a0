import { createHmac } from 'node:crypto';

export interface DeliveryToSend {
  readonly webhookId: string;
  /** Milliseconds since the Unix epoch. */
  readonly sentAt: number;
  readonly body: string;
  readonly additional?: Readonly<Record<string, string>> | undefined;
  /** The secret of a signed delivery, beginning with `whsec_`. Absent if deliveries are not signed. */
  readonly secret?: string | undefined;
}

/** Returns the headers of a delivery (Events › Delivery headers). */
export function deliveryHeaders({ webhookId, sentAt, body, additional, secret }: DeliveryToSend): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1000));
  return {
    'content-type': 'application/json',
    ...additional,
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    ...(secret !== undefined && { 'webhook-signature': signatureOf(secret, webhookId, timestamp, body) }),
  };
}

/**
 * Returns the value of the header `webhook-signature` (Standard Webhooks 1.0). @param timestamp Unix time in seconds, as in the header
 * `webhook-timestamp`
 */
export function signatureOf(secret: string, webhookId: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`;
}
