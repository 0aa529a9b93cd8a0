import { type Clock, offsetAfter } from '../clock/clock.ts';
import { WorldReplaced, type WorldState } from '../service/world-state.ts';
import type { Attempted, Dispatcher } from './dispatcher.ts';

export interface Advanced {
  /** The attempts that were made, in the order in which they ended. */
  readonly attempts: readonly Attempted[];
  /** Whether every delivery was attempted at its own due time. False if `maxWaitMs` was not enough. */
  readonly settled: boolean;
}

/**
 * Moves kit time forward from the due time of one delivery to that of the next, so that every delivery is sent when it is due and its
 * retries are scheduled from then. Several replicas may do so at once: one of them makes each step, and then all of them look for the next
 * due time.
 *
 * @param ms How far to advance, in milliseconds.
 * @param maxWaitMs How long to wait for attempts, in wall milliseconds. Kit time advances by `ms` in any case.
 * @throws RangeError if `ms` is too large, without a change of kit time
 * @throws WorldReplaced if another world was loaded meanwhile, because each world has its own kit time
 */
export async function advance(
  ms: number,
  { world, clock, dispatcher }: { readonly world: WorldState; readonly clock: Clock; readonly dispatcher: Dispatcher },
  maxWaitMs = 30_000,
): Promise<Advanced> {
  const attempts: Attempted[] = [];
  const unsubscribe = dispatcher.observe((attempted) => attempts.push(attempted));
  const deadline = performance.now() + maxWaitMs;
  const timeLeft = () => Math.max(0, deadline - performance.now());
  const { load } = world;
  let left = ms;
  try {
    // If `ms` is too large, throws before the first step.
    offsetAfter(clock.offset, ms);
    while (await dispatcher.settle(timeLeft())) {
      const { offset } = clock;
      const due = await dispatcher.nextDue();
      const step = due === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(due - clock.now()));
      const arrives = step > left;
      if (!arrives && timeLeft() === 0) break;
      const by = Math.min(step, left);
      // A step of 0 does not change kit time, so it is not written.
      const isMoved = by === 0 || (await world.advance(by, { load, offset }));
      if (isMoved) left -= by;
      if (isMoved && arrives) return { attempts, settled: true };
      if (world.load !== load) throw new WorldReplaced();
    }
    if (left > 0 && !(await world.advance(left, { load }))) throw new WorldReplaced();
    return { attempts, settled: false };
  } finally {
    unsubscribe();
  }
}
