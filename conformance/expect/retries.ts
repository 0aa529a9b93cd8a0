import type { Delivery } from './event.ts';

/** The deliveries of several events. The event of `failed` was published last, and no attempt to deliver it was acknowledged. */
export interface Attempts {
  readonly failed: readonly Delivery[];
  /** The deliveries of the earlier events, one array per event. At least one of these events was acknowledged. */
  readonly others: readonly (readonly Delivery[])[];
  /** The longest time that the check waited for retries, in milliseconds. */
  readonly ms: number;
}

/** The number of repeated deliveries that proves deliberate retries. A target that repeats an event by accident does so less often. */
export const RETRIES = 3;

/** The number of times that the target delivers an event without retrying it. It may exceed 1, because a target may repeat any delivery. */
export function usualCopies({ others }: Attempts): number {
  return Math.min(...others.map(({ length }) => length));
}

/** Whether the failing event was sent again because it failed. */
export function isRetried(attempts: Attempts): boolean {
  return attempts.failed.length > usualCopies(attempts);
}

/** Whether the failing event was sent again so often that the target clearly retries it. */
export function isDecisive(attempts: Attempts): boolean {
  return attempts.failed.length > RETRIES * usualCopies(attempts);
}

/**
 * Whether another event was delivered more than half as often as the failing event, and over more than half as long a time. Accidental
 * repeats arrive within a shorter time.
 */
export function isRetriedAlike(attempts: Attempts, other: readonly Delivery[] = []): boolean {
  const { failed } = attempts;
  return other.length > usualCopies(attempts) && other.length > failed.length / 2 && duration(other) > duration(failed) / 2;
}

/** Whether another event was sent again, but not as often as the failing event. Later deliveries may show whether the target retries it. */
export function isUndecided(attempts: Attempts, other: readonly Delivery[]): boolean {
  return other.length > usualCopies(attempts) && !isRetriedAlike(attempts, other);
}

/**
 * Whether the target retries every event for more than half of the waiting time. Such a target treats no response as an acknowledgement.
 */
export function isNothingAcknowledged({ failed, others, ms }: Attempts): boolean {
  return [failed, ...others].every((each) => each.length > RETRIES && duration(each) > ms / 2);
}

/** The time from the first to the last delivery, in milliseconds. */
export function duration(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
