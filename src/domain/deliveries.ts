import { createHash } from 'node:crypto';

/** Returns whether an HTTP status acknowledges a delivery. Only 2xx statuses do (Events › Subscription). */
export function isAcknowledgement(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Returns the secret that signs a subscription's deliveries (decision `events.delivery.signature`). The default secret is derived from the
 * subscription's id, so that tests can compute it. Because anyone can compute it, the default secret does not authenticate the sender.
 */
export function getSigningSecret({ id, secret }: { readonly id: string; readonly secret: string | null | undefined }): string {
  return secret ?? `whsec_${createHash('sha256').update(`experience-provider-kit ${id}`).digest('base64')}`;
}

export interface Reordering {
  /** The window length, in milliseconds of kit time. */
  readonly window: number;
  readonly seed: number;
  /** The number of earlier deliveries to the subscription that were reordered. */
  readonly ordinal: number;
  /** The kit time at which the latest window opened, in milliseconds since the Unix epoch. */
  readonly openedAt: number;
}

/**
 * Returns the time at which a reordered delivery is due. If no window is in its first half, the event opens a new window. Deliveries from
 * the first half of a window are due in its second half. The due times depend only on the window's start, the seed and the ordinal. If they
 * depended on the event times, two runs with the same seed could send the deliveries in different orders.
 * @param now kit time, in milliseconds since the Unix epoch
 */
export function getReorderedTime(now: number, { window, seed, ordinal, openedAt }: Reordering): { dueAt: number; opensWindow: boolean } {
  const half = Math.floor(window / 2);
  const since = now - openedAt;
  const isOpen = ordinal > 0 && since >= 0 && since < half;
  const start = isOpen ? openedAt : now;
  return { dueAt: start + half + Math.floor(deriveFraction(seed, ordinal) * (window - half)), opensWindow: !isOpen };
}

/** Returns a number that is at least 0 and less than 1, and depends only on the seed and the ordinal. */
function deriveFraction(seed: number, ordinal: number): number {
  return createHash('sha256').update(`${seed}:${ordinal}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
