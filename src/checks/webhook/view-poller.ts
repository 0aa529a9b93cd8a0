import { setTimeout as delay } from 'node:timers/promises';
import type { Comparison } from './compare.ts';
import { type ConsumerState, readState, type StateSource } from './view.ts';

export type ViewPoller = ReturnType<typeof createViewPoller>;

const POLL_MS = 15;

export function createViewPoller(source: StateSource | undefined, limitMs: () => number, interrupt?: AbortSignal) {
  /** The longest processing time of one or two events, and the time for each of several ones that are processed one after the other. */
  let slowest: number | undefined;
  let slowestOfSeveral = 0;
  let slowestRecovery = 0;
  return {
    /** The longest processing time of an event so far, in milliseconds. Undefined before the first equal comparison. */
    get slowestMs() {
      return slowest === undefined ? undefined : Math.max(slowest, slowestRecovery);
    },
    /**
     * Repeats the comparison until it has found no differences for a while, or until the time limit. A consumer may process events late.
     * Returns the last comparison and state.
     * @param events how many events the consumer may still be processing, one after the other
     * @param isRecovering whether the consumer may still be starting or reading lists, which takes longer than an event
     */
    async waitUntilEqual(
      compare: (view: ConsumerState) => Comparison | Promise<Comparison>,
      events = 1,
      isRecovering = false,
    ): Promise<{ comparison: Comparison; view: ConsumerState }> {
      if (source === undefined) return { comparison: { hidden: [] }, view: {} };
      const started = performance.now();
      const settleMs =
        slowest === undefined ? limitMs() * Math.max(1, events) : limitMs() + slowest * events + (isRecovering ? slowestRecovery : 0);
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
          if (isRecovering) slowestRecovery = Math.max(slowestRecovery, different);
          else if (events > 2) slowestOfSeveral = Math.max(slowestOfSeveral, different / events);
          slowest = Math.max(slowest ?? 0, isRecovering || events > 2 ? 0 : different);
          const expectedMs = Math.max(slowest, slowestOfSeveral * events, isRecovering ? slowestRecovery : 0);
          if (elapsed >= Math.min(settleMs, POLL_MS + 1.5 * expectedMs)) return { comparison, view };
        } else {
          if (elapsed >= settleMs) return { comparison, view };
          interrupt?.throwIfAborted();
          different = elapsed;
        }
        await delay(POLL_MS);
      }
    },
  };
}
