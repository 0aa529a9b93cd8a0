import { createHash } from 'node:crypto';

/** Whether a status acknowledges a delivery: any 2xx does, and no other (Events › Subscription). */
export function isAcknowledgement(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * The secret that signs the deliveries of a subscription (decision `events.delivery.signature`). The default is derived from the id of the
 * subscription, so that tests know it. It proves nothing about the sender.
 */
export function signingSecret({ id, secret }: { readonly id: string; readonly secret: string | null | undefined }): string {
  return secret ?? `whsec_${createHash('sha256').update(`experience-provider-kit ${id}`).digest('base64')}`;
}

export interface Reordering {
  /** Milliseconds. */
  readonly window: number;
  readonly seed: number;
  /** How many deliveries were reordered before. */
  readonly ordinal: number;
  /** Kit time at which the latest window opened, in milliseconds since the Unix epoch. */
  readonly openedAt: number;
}

/**
 * When a reordered delivery is sent. An event opens a window; what happens in its first half is sent in its second half, at moments that depend only on
 * the seed and the ordinal. If they were relative to each event, the same run would not repeat.
 *
 * @param now kit time, in milliseconds since the Unix epoch
 */
export function reorderedMoment(now: number, { window, seed, ordinal, openedAt }: Reordering): { dueAt: number; opensWindow: boolean } {
  const half = Math.floor(window / 2);
  const since = now - openedAt;
  const isOpen = ordinal > 0 && since >= 0 && since < half;
  const start = isOpen ? openedAt : now;
  return { dueAt: start + half + Math.floor(fraction(seed, ordinal) * (window - half)), opensWindow: !isOpen };
}

/** From 0 to less than 1, always the same for the same seed and ordinal. */
function fraction(seed: number, ordinal: number): number {
  return createHash('sha256').update(`${seed}:${ordinal}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
