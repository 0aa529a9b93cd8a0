import type { Delivery } from './receiver.ts';

/** What came of an event that fails again and again, and meanwhile of others. All were sent before it. */
export interface Beside {
  readonly failed: readonly Delivery[];
  /** At least one was acknowledged. */
  readonly came: readonly (readonly Delivery[])[];
  /** For how long at most was waited for repeats, in milliseconds. */
  readonly ms: number;
}

/** Repeats of what fails, after which what is taken for failed has come as often: from the second on it is no accident. */
export const REPEATS = 3;

/** How often an event is delivered in any case, by the one that came least: repeats are legal without any cause. */
export function copiesOf({ came }: Beside): number {
  return Math.min(...came.map(({ length }) => length));
}

/** Whether what fails is seen to be sent again because it fails. */
export function isRetried(beside: Beside): boolean {
  return beside.failed.length > copiesOf(beside);
}

/** Whether what failed was sent again so often that no accident looks like it. */
export function isDecisive(beside: Beside): boolean {
  return beside.failed.length > REPEATS * copiesOf(beside);
}

/** Whether one of the others came again as what fails did: about as often, and for about as long. What is sent twice by accident comes sooner. */
export function keepsUp(beside: Beside, came: readonly Delivery[] = []): boolean {
  const { failed } = beside;
  return came.length > copiesOf(beside) && came.length > failed.length / 2 && lasted(came) > lasted(failed) / 2;
}

/** Whether one of the others was sent again, and is not seen to keep up yet: it may be about to come once more. */
export function isUndecided(beside: Beside, came: readonly Delivery[]): boolean {
  return came.length > copiesOf(beside) && !keepsUp(beside, came);
}

/** Whether everything comes again and again, and still did after half of the time: then nothing acknowledges. What is only sent several times has ended. */
export function nothingRests({ failed, came, ms }: Beside): boolean {
  return [failed, ...came].every((each) => each.length > REPEATS && lasted(each) > ms / 2);
}

/** From the first to the last, in milliseconds. */
export function lasted(deliveries: readonly Delivery[]): number {
  return (deliveries.at(-1)?.at ?? 0) - (deliveries[0]?.at ?? 0);
}
