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
export const MIN_RETRIES_FOR_PROOF = 3;

/** Returns the number of deliveries of an event that needs no retry: 1, or more if the target sends duplicates by accident. */
export function countDeliveriesWithoutRetries({ others }: Attempts): number {
  return Math.min(...others.map(({ length }) => length));
}

export function isFailingEventRetried(attempts: Attempts): boolean {
  return attempts.failed.length > countDeliveriesWithoutRetries(attempts);
}

/** Whether the failing event was repeated often enough to prove deliberate retries. */
export function isRetryProven(attempts: Attempts): boolean {
  return attempts.failed.length > MIN_RETRIES_FOR_PROOF * countDeliveriesWithoutRetries(attempts);
}

/** Whether the number and the duration of an event's repeats are similar to those of the failing event. */
export function isRetriedLikeFailingEvent(attempts: Attempts, deliveries: readonly Delivery[] = []): boolean {
  const { failed } = attempts;
  return (
    deliveries.length > countDeliveriesWithoutRetries(attempts) &&
    deliveries.length > failed.length / 2 &&
    measureDuration(deliveries) > measureDuration(failed) / 2
  );
}

/** Whether an event was repeated, but too rarely to tell retries from accidental repeats. */
export function isRetryUncertain(attempts: Attempts, deliveries: readonly Delivery[]): boolean {
  return deliveries.length > countDeliveriesWithoutRetries(attempts) && !isRetriedLikeFailingEvent(attempts, deliveries);
}

/** Whether the target retries all events, whatever the response. */
export function isEveryEventRetried({ failed, others, ms }: Attempts): boolean {
  return [failed, ...others].every((each) => each.length > MIN_RETRIES_FOR_PROOF && measureDuration(each) > ms / 2);
}

/** Returns the milliseconds from the first to the last delivery. */
export function measureDuration(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
