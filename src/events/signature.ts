import { createHmac } from 'node:crypto';

/** The header `webhook-signature` of Standard Webhooks 1.0. @param timestamp Unix time in seconds, as in `webhook-timestamp` */
export function signatureOf(secret: string, webhookId: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`;
}
