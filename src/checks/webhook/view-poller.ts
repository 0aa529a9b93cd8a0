import { setTimeout as delay } from 'node:timers/promises';
import type { Comparison } from './compare.ts';
import { type ConsumerState, readState, type StateSource } from './view.ts';

export interface ViewPoller {
  /** The longest processing time of an event so far, in milliseconds. */
  readonly slowestMs: number;
  /**
   * Repeats the comparison until it has found no differences for a while, or until the time limit. A consumer may process events late.
   * Returns the last comparison and state.
   */
  waitUntilEqual(
    compare: (view: ConsumerState) => Comparison | Promise<Comparison>,
  ): Promise<{ comparison: Comparison; view: ConsumerState }>;
}

const POLL_MS = 15;

export function createViewPoller(source: StateSource | undefined, limitMs: () => number, interrupt?: AbortSignal): ViewPoller {
  let slowest = 0;
  return {
    get slowestMs() {
      return slowest;
    },
    async waitUntilEqual(compare) {
      if (source === undefined) return { comparison: { hidden: [] }, view: {} };
      const started = performance.now();
      const settleMs = limitMs();
      let different = 0;
      for (;;) {
        const elapsed = performance.now() - started;
        const view = await readState(source, interrupt).catch((error: Error) => {
          // The consumer may still be starting.
          if (elapsed >= settleMs || interrupt?.aborted) throw error;
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
