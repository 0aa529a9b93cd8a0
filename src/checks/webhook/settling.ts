import { setTimeout as delay } from 'node:timers/promises';
import type { Comparison } from './compare.ts';
import { type ConsumerState, readState, type StateSource } from './view.ts';

/** Reads the consumer's view until it equals what is expected. */
export interface Settling {
  /** The longest time that the view has taken to become equal so far, in milliseconds: how long an event may wait in the consumer. */
  readonly slowestMs: number;
  /**
   * Compares the view again and again, because a consumer may acknowledge an event before it has processed it. Returns the last comparison
   * and the view. The view must stay equal for a while, because an event that the consumer should discard may still wait in its queue.
   */
  until(compare: (view: ConsumerState) => Comparison | Promise<Comparison>): Promise<{ comparison: Comparison; view: ConsumerState }>;
}

const POLL_MS = 15;

/** @param limitMs returns how long the view may differ, in milliseconds */
export function createSettling(source: StateSource | undefined, limitMs: () => number): Settling {
  let slowest = 0;
  return {
    get slowestMs() {
      return slowest;
    },
    async until(compare) {
      if (source === undefined) return { comparison: { hidden: [] }, view: {} };
      const started = performance.now();
      const settleMs = limitMs();
      let different = 0;
      for (;;) {
        const elapsed = performance.now() - started;
        const view = await readState(source).catch((error: Error) => {
          // The consumer may be starting.
          if (elapsed >= settleMs) throw error;
          return undefined;
        });
        if (view === undefined) {
          await delay(POLL_MS);
          continue;
        }
        const comparison = await compare(view);
        if ('hidden' in comparison) return { comparison, view };
        if (comparison.differences.length === 0) {
          slowest = Math.max(slowest, different);
          if (elapsed >= Math.min(settleMs, POLL_MS + 1.5 * slowest)) return { comparison, view };
        } else {
          if (elapsed >= settleMs) return { comparison, view };
          different = elapsed;
        }
        await delay(POLL_MS);
      }
    },
  };
}
