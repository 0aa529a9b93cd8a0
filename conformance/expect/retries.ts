import type { Delivery } from './event.ts';

/** What was delivered for events that were acknowledged, and for one that failed again and again. The failing one was sent last. */
export interface Attempts {
  readonly failed: readonly Delivery[];
  /** By event. At least one was acknowledged. */
  readonly others: readonly (readonly Delivery[])[];
  /** How long the check waited for retries at most, in milliseconds. */
  readonly ms: number;
}

/** So many retries of the failing event are no accident. */
export const RETRIES = 3;

/** How often the target delivers any event: the fewest deliveries of one. Repeats are allowed without a cause. */
export function usualCopies({ others }: Attempts): number {
  return Math.min(...others.map(({ length }) => length));
}

/** Whether the failing event was sent again because it failed. */
export function isRetried(attempts: Attempts): boolean {
  return attempts.failed.length > usualCopies(attempts);
}

/** Whether the failing event was retried so often that it cannot be an accident. */
export function isDecisive(attempts: Attempts): boolean {
  return attempts.failed.length > RETRIES * usualCopies(attempts);
}

/** Whether another event was retried like the failing one: about as often, and for about as long. An accidental repeat comes sooner. */
export function isRetriedAlike(attempts: Attempts, other: readonly Delivery[] = []): boolean {
  const { failed } = attempts;
  return other.length > usualCopies(attempts) && other.length > failed.length / 2 && duration(other) > duration(failed) / 2;
}

/** Whether another event was sent again, but not yet as often as the failing one: more may follow. */
export function isUndecided(attempts: Attempts, other: readonly Delivery[]): boolean {
  return other.length > usualCopies(attempts) && !isRetriedAlike(attempts, other);
}

/** Whether every event is retried, also after half of the time: then no response counts as an acknowledgement. */
export function isNothingAcknowledged({ failed, others, ms }: Attempts): boolean {
  return [failed, ...others].every((each) => each.length > RETRIES && duration(each) > ms / 2);
}

/** From the first to the last delivery, in milliseconds. */
export function duration(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
