import { createHash } from 'node:crypto';

/** Returns whether a status acknowledges a delivery (Events › Subscription). */
export function isAcknowledgement(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Returns a subscription's signing secret (decision `events.delivery.signature`). Anyone can compute the default secret. */
export function getSigningSecret({ id, secret }: { readonly id: string; readonly secret: string | null | undefined }): string {
  return secret ?? `whsec_${createHash('sha256').update(`experience-provider-kit ${id}`).digest('base64')}`;
}

interface Reordering {
  /** The window length, in milliseconds of kit time. */
  readonly window: number;
  readonly seed: number;
  /** The number of earlier deliveries that were reordered. */
  readonly ordinal: number;
  /** The kit time at which the latest window opened, in milliseconds. */
  readonly openedAt: number;
}

/**
 * Deliveries created in the first half of a window are due at random times in its second half. A later delivery opens a new window. The
 * random times are derived from `seed` and `ordinal`, so that a seed always gives the same order.
 * @param now kit time, in milliseconds
 */
export function getReorderedTime(now: number, { window, seed, ordinal, openedAt }: Reordering): { dueAt: number; opensWindow: boolean } {
  const half = Math.floor(window / 2);
  const since = now - openedAt;
  const isOpen = ordinal > 0 && since >= 0 && since < half;
  const start = isOpen ? openedAt : now;
  return { dueAt: start + half + Math.floor(deriveFraction(seed, ordinal) * (window - half)), opensWindow: !isOpen };
}

function deriveFraction(seed: number, ordinal: number): number {
  return createHash('sha256').update(`${seed}:${ordinal}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
