import { createHash } from 'node:crypto';

/** Whether an HTTP status acknowledges a delivery. Only 2xx statuses do (Events › Subscription). */
export function isAcknowledgement(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * The secret that signs the deliveries of a subscription (decision `events.delivery.signature`). The default is derived from the id of the
 * subscription, so that tests can compute it. So can anybody else: a signature with this secret does not authenticate the sender.
 */
export function signingSecret({ id, secret }: { readonly id: string; readonly secret: string | null | undefined }): string {
  return secret ?? `whsec_${createHash('sha256').update(`experience-provider-kit ${id}`).digest('base64')}`;
}

export interface Reordering {
  /** The length of a window, in milliseconds of kit time. */
  readonly window: number;
  readonly seed: number;
  /** How many deliveries of the subscription were reordered before this one. */
  readonly ordinal: number;
  /** Kit time at which the latest window opened, in milliseconds since the Unix epoch. */
  readonly openedAt: number;
}

/**
 * When a delivery is sent if its subscription reorders deliveries. An event opens a window. Events in the first half of the window are sent
 * in its second half, at times that depend only on the start of the window, the seed and the ordinal. If the times depended on when each
 * event happened, two runs with the same seed would send events in different orders.
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

/** A number from 0 to less than 1 that is always the same for the same seed and ordinal. */
function fraction(seed: number, ordinal: number): number {
  return createHash('sha256').update(`${seed}:${ordinal}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
