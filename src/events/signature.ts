import { createHash, createHmac } from 'node:crypto';

/**
 * The secret that a subscription's deliveries are signed with, where the decision `events.delivery.signature` is `standard-webhooks`: derived from
 * its id, so that a receiver of a test knows it. A secret that anybody can work out proves nothing about who sent something.
 */
export function signingSecret(subscriptionId: string): string {
  return `whsec_${createHash('sha256').update(`experience-provider-kit ${subscriptionId}`).digest('base64')}`;
}

/** The header `webhook-signature` of Standard Webhooks 1.0. @param timestamp Unix time in seconds, as in `webhook-timestamp` */
export function signatureOf(secret: string, webhookId: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`;
}
