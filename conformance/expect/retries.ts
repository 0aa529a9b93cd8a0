import type { Delivery } from './event.ts';

/** The deliveries of several events, and of one event that failed in every attempt. The failing event was published last. */
export interface Attempts {
  readonly failed: readonly Delivery[];
  /** The deliveries of each other event. At least one of these events was acknowledged. */
  readonly others: readonly (readonly Delivery[])[];
  /** How long the check waited for retries at most, in milliseconds. */
  readonly ms: number;
}

/** A target that repeats an event by accident does not do so this often, so as many retries are deliberate. */
export const RETRIES = 3;

/** How often the target delivers an event that it does not retry. It may be more than once, because a target may repeat any delivery. */
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

/** Whether another event was retried about as often and for about as long as the failing one. A repeat by accident comes sooner. */
export function isRetriedAlike(attempts: Attempts, other: readonly Delivery[] = []): boolean {
  const { failed } = attempts;
  return other.length > usualCopies(attempts) && other.length > failed.length / 2 && duration(other) > duration(failed) / 2;
}

/** Whether another event was sent again, but not as often as the failing one, so more deliveries may follow. */
export function isUndecided(attempts: Attempts, other: readonly Delivery[]): boolean {
  return other.length > usualCopies(attempts) && !isRetriedAlike(attempts, other);
}

/** Whether every event is still retried after half of the time, so the target treats no response as an acknowledgement. */
export function isNothingAcknowledged({ failed, others, ms }: Attempts): boolean {
  return [failed, ...others].every((each) => each.length > RETRIES && duration(each) > ms / 2);
}

/** The time from the first to the last delivery, in milliseconds. */
export function duration(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
