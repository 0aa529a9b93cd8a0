import type { Delivery } from './event.ts';

/** The deliveries of several events. `failed` contains those of the last event, which was never acknowledged. */
export interface Attempts {
  readonly failed: readonly Delivery[];
  /** The deliveries of each of the other events, at least one of which was acknowledged. */
  readonly others: readonly (readonly Delivery[])[];
  /** The longest time, in milliseconds, that the check waited for retries. */
  readonly ms: number;
}

/** The number of repeats that proves deliberate retries, not accidents. */
export const MIN_DELIBERATE_RETRIES = 3;

/** Returns the number of deliveries of an event that needs no retry: 1, or more if the target sends duplicates by accident. */
export function countUsualDeliveries({ others }: Attempts): number {
  return Math.min(...others.map(({ length }) => length));
}

export function isRetried(attempts: Attempts): boolean {
  return attempts.failed.length > countUsualDeliveries(attempts);
}

/** Whether the failing event was repeated often enough to prove deliberate retries. */
export function isDecisive(attempts: Attempts): boolean {
  return attempts.failed.length > MIN_DELIBERATE_RETRIES * countUsualDeliveries(attempts);
}

/** Whether the number and the duration of an event's repeats are similar to those of the failing event. */
export function isRetriedSimilarly(attempts: Attempts, other: readonly Delivery[] = []): boolean {
  const { failed } = attempts;
  return (
    other.length > countUsualDeliveries(attempts) &&
    other.length > failed.length / 2 &&
    measureDuration(other) > measureDuration(failed) / 2
  );
}

/** Whether an event was repeated, but too rarely to tell retries from accidental repeats. */
export function isUndecided(attempts: Attempts, other: readonly Delivery[]): boolean {
  return other.length > countUsualDeliveries(attempts) && !isRetriedSimilarly(attempts, other);
}

/** Whether the target retries all events, whatever the response. */
export function isNothingAcknowledged({ failed, others, ms }: Attempts): boolean {
  return [failed, ...others].every((each) => each.length > MIN_DELIBERATE_RETRIES && measureDuration(each) > ms / 2);
}

/** Returns the milliseconds from the first to the last delivery. */
export function measureDuration(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
