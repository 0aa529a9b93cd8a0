import type { Clock } from '../clock/clock.ts';
import type { WorldState } from '../service/world-state.ts';
import type { Attempted, Dispatcher } from './dispatcher.ts';

export interface Advanced {
  /** What was attempted on the way, in the order in which it ended. */
  readonly attempts: readonly Attempted[];
}

/**
 * Moves kit time forward from one due time to the next, so that whatever is due on the way is sent at its own moment, and what comes of that is due
 * after it.
 *
 * @param ms by how many milliseconds. @param maxWaitMs so many wall milliseconds the attempts are waited for; kit time arrives in any case.
 * @throws RangeError where that is too far; then nothing has changed.
 */
export async function advance(
  ms: number,
  { world, clock, dispatcher }: { readonly world: WorldState; readonly clock: Clock; readonly dispatcher: Dispatcher },
  maxWaitMs: number,
): Promise<Advanced> {
  const attempts: Attempted[] = [];
  const end = dispatcher.observe((attempted) => attempts.push(attempted));
  const deadline = performance.now() + maxWaitMs;
  const wait = () => dispatcher.settle(Math.max(0, deadline - performance.now()));
  let left = ms;
  try {
    // Nothing is moved where all of it would be too far.
    world.mayAdvance(ms);
    await wait();
    while (performance.now() < deadline) {
      const due = await dispatcher.nextDue();
      const step = due === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(due - clock.now()));
      if (step > left) break;
      // What is due already needs no step, and a step of nothing would be a write.
      if (step > 0) await world.advance(step);
      left -= step;
      await wait();
    }
    if (left > 0) await world.advance(left);
    return { attempts };
  } finally {
    end();
  }
}
