import { createHash } from 'node:crypto';

/**
 * The secret that signs the deliveries of a subscription (decision `events.delivery.signature`). The default is derived from the id of the
 * subscription, so that tests know it. It proves nothing about the sender.
 */
export function signingSecret({ id, secret }: { readonly id: string; readonly secret: string | null | undefined }): string {
  return secret ?? `whsec_${createHash('sha256').update(`experience-provider-kit ${id}`).digest('base64')}`;
}
