import type { Delivery } from './event.ts';

/** The deliveries of several events. The event in `failed` was published last and never acknowledged. */
export interface Attempts {
  readonly failed: readonly Delivery[];
  /** The deliveries of the earlier events, one array per event. At least one of these events was acknowledged. */
  readonly others: readonly (readonly Delivery[])[];
  /** The longest time, in milliseconds, that the check waited for retries. */
  readonly ms: number;
}

/** The number of repeated deliveries that proves deliberate retries. Accidental repeats are fewer. */
export const MIN_DELIBERATE_RETRIES = 3;

/**
 * Returns how many times the target usually delivers an event that it does not retry. The number may exceed 1, because a target may repeat
 * any delivery by accident.
 */
export function countUsualDeliveries({ others }: Attempts): number {
  return Math.min(...others.map(({ length }) => length));
}

/** Returns whether the failing event was sent again because it failed. */
export function isRetried(attempts: Attempts): boolean {
  return attempts.failed.length > countUsualDeliveries(attempts);
}

/** Returns whether the failing event was sent so often that the target clearly retries it. */
export function isDecisive(attempts: Attempts): boolean {
  return attempts.failed.length > MIN_DELIBERATE_RETRIES * countUsualDeliveries(attempts);
}

/**
 * Returns whether the target also retries another event: it was delivered more than half as often as the failing event, over more than half
 * the time. Accidental repeats arrive within a shorter time.
 */
export function isRetriedSimilarly(attempts: Attempts, other: readonly Delivery[] = []): boolean {
  const { failed } = attempts;
  return (
    other.length > countUsualDeliveries(attempts) &&
    other.length > failed.length / 2 &&
    measureDuration(other) > measureDuration(failed) / 2
  );
}

/** Returns whether another event was sent again, but too rarely to show yet whether the target retries it. */
export function isUndecided(attempts: Attempts, other: readonly Delivery[]): boolean {
  return other.length > countUsualDeliveries(attempts) && !isRetriedSimilarly(attempts, other);
}

/** Returns whether the target treats no response as an acknowledgement: it retried every event for more than half of the waiting time. */
export function isNothingAcknowledged({ failed, others, ms }: Attempts): boolean {
  return [failed, ...others].every((each) => each.length > MIN_DELIBERATE_RETRIES && measureDuration(each) > ms / 2);
}

/** Returns the time, in milliseconds, from the first to the last delivery. */
export function measureDuration(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
