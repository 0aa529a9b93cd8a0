import { advanceOffset, type Clock } from '../clock/clock.ts';
import { WorldReplaced, type WorldState } from '../service/world-state.ts';
import type { StoredAttempt } from './attempt-runner.ts';
import type { Dispatcher } from './dispatcher.ts';

export interface Advanced {
  /** The attempts during the advance, in the order in which they ended. */
  readonly attempts: readonly StoredAttempt[];
  /** Whether every delivery was attempted at its due time. False if `maxWaitMs` was too short. */
  readonly settled: boolean;
}

/**
 * Moves kit time forward from one due time to the next, so that every delivery is sent at its due time. Several replicas may call this
 * function at once, because only one of them moves kit time in each step.
 * @param ms the time to advance, in milliseconds
 * @param maxWaitMs the longest wait for attempts, in milliseconds of wall time; a timeout does not shorten the advance
 * @throws RangeError if `ms` is too large; kit time is then unchanged
 * @throws WorldReplaced if another world was loaded during the advance
 */
export async function advance(
  ms: number,
  { world, clock, dispatcher }: { readonly world: WorldState; readonly clock: Clock; readonly dispatcher: Dispatcher },
  maxWaitMs = 30_000,
): Promise<Advanced> {
  const attempts: StoredAttempt[] = [];
  const unsubscribe = dispatcher.observe((attempted) => attempts.push(attempted));
  const deadline = performance.now() + maxWaitMs;
  const getTimeLeft = () => Math.max(0, deadline - performance.now());
  const { load } = world;
  let remainingMs = ms;
  try {
    // Throws before the first step if `ms` is too large.
    advanceOffset(clock.offset, ms);
    while (await dispatcher.settle(getTimeLeft())) {
      const { offset } = clock;
      const due = await dispatcher.findNextDue();
      const step = due === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(due - clock.now()));
      const isLastStep = step > remainingMs;
      if (!isLastStep && getTimeLeft() === 0) break;
      const stepMs = Math.min(step, remainingMs);
      // A step of 0 ms does not change kit time, so it is not stored.
      const isMoved = stepMs === 0 || (await world.advanceKitTime(stepMs, { load, offset }));
      if (isMoved) remainingMs -= stepMs;
      if (isMoved && isLastStep) return { attempts, settled: true };
      if (world.load !== load) throw new WorldReplaced();
    }
    if (remainingMs > 0 && !(await world.advanceKitTime(remainingMs, { load }))) throw new WorldReplaced();
    return { attempts, settled: false };
  } finally {
    unsubscribe();
  }
}
