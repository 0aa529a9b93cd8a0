import type { Clock } from '../clock/clock.ts';
import { WorldReplaced, type WorldState } from '../service/world-state.ts';
import type { Attempted, Dispatcher } from './dispatcher.ts';

export interface Advanced {
  /** What was attempted on the way, in the order in which it ended. */
  readonly attempts: readonly Attempted[];
  /** Whether all that was due on the way was attempted at its own moment: not where the time to wait was over before. */
  readonly settled: boolean;
}

/**
 * Moves kit time forward from one due time to the next, so that whatever is due on the way is sent at its own moment, and what comes of that is due
 * after it. Of several that do so at once, in whichever replica, each step is made by one of them, and then looked at again by all.
 *
 * @param ms How far, in milliseconds. @param maxWaitMs How long to wait for attempts, in wall milliseconds. Kit time moves all the way in any case.
 * @throws RangeError where that is too far; then nothing has changed. WorldReplaced where another world was loaded on the way: its time is its own.
 */
export async function advance(
  ms: number,
  { world, clock, dispatcher }: { readonly world: WorldState; readonly clock: Clock; readonly dispatcher: Dispatcher },
  maxWaitMs = 30_000,
): Promise<Advanced> {
  const attempts: Attempted[] = [];
  const end = dispatcher.observe((attempted) => attempts.push(attempted));
  const deadline = performance.now() + maxWaitMs;
  const timeLeft = () => Math.max(0, deadline - performance.now());
  const { load } = world;
  let left = ms;
  try {
    // Nothing is moved where all of it would be too far.
    world.mayAdvance(ms);
    while (await dispatcher.settle(timeLeft())) {
      const { offset } = clock;
      const due = await dispatcher.nextDue();
      const step = due === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(due - clock.now()));
      const arrives = step > left;
      if (!arrives && timeLeft() === 0) break;
      const by = Math.min(step, left);
      // What is due already needs no step, and a step of nothing would be a write.
      const isMoved = by === 0 || (await world.advance(by, { load, offset }));
      if (isMoved) left -= by;
      if (isMoved && arrives) return { attempts, settled: true };
      if (world.load !== load) throw new WorldReplaced();
    }
    if (left > 0 && !(await world.advance(left, { load }))) throw new WorldReplaced();
    return { attempts, settled: false };
  } finally {
    end();
  }
}
