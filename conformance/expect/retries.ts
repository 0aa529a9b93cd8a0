import type { Delivery } from '../../src/expect/event.ts';

export interface Attempts {
  /** The deliveries of an event that was never acknowledged. */
  readonly failed: readonly Delivery[];
  /** The deliveries of each other event. At least one of these events was acknowledged. */
  readonly others: readonly (readonly Delivery[])[];
  /** The longest time, in milliseconds, that the check waited for retries. */
  readonly ms: number;
}

/** Fewer repeats may be accidental duplicates. */
export const MIN_RETRIES_FOR_PROOF = 3;

/** Returns the number of deliveries of an event that needs no retry: 1, or more if the target sends duplicates by accident. */
export function countDeliveriesWithoutRetries({ others }: Attempts): number {
  return Math.min(...others.map(({ length }) => length));
}

export function isFailingEventRetried(attempts: Attempts): boolean {
  return attempts.failed.length > countDeliveriesWithoutRetries(attempts);
}

export function isRetryProven(attempts: Attempts): boolean {
  return attempts.failed.length > MIN_RETRIES_FOR_PROOF * countDeliveriesWithoutRetries(attempts);
}

/**
 * Whether an event was delivered about as often as the failing event, and for about as long. Accidental duplicates arrive sooner than
 * retries.
 */
export function isRetriedLikeFailingEvent(attempts: Attempts, deliveries: readonly Delivery[] = []): boolean {
  const { failed } = attempts;
  return (
    deliveries.length > countDeliveriesWithoutRetries(attempts) &&
    deliveries.length > failed.length / 2 &&
    measureDuration(deliveries) > measureDuration(failed) / 2
  );
}

export function isRetryUncertain(attempts: Attempts, deliveries: readonly Delivery[]): boolean {
  return deliveries.length > countDeliveriesWithoutRetries(attempts) && !isRetriedLikeFailingEvent(attempts, deliveries);
}

export function isEveryEventRetried({ failed, others, ms }: Attempts): boolean {
  return [failed, ...others].every((each) => each.length > MIN_RETRIES_FOR_PROOF && measureDuration(each) > ms / 2);
}

export function measureDuration(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
