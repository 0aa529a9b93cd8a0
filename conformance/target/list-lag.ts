import { setTimeout as pause } from 'node:timers/promises';
import { extendTimeout } from './running-check.ts';

/** Delays requests for lists until the lists contain the last write. All clients of a worker share one object. */
export interface ListLag {
  /** Records that a write was sent now. */
  recordWrite(): void;
  /** Waits until the lists show the last write. */
  waitUntilSettled(): Promise<void>;
}

/** @param boundMs the longest time until the lists of the target show a write, in milliseconds */
export function createListLag(boundMs: number): ListLag {
  let wroteAt = Number.NEGATIVE_INFINITY;
  return {
    recordWrite() {
      wroteAt = performance.now();
    },
    async waitUntilSettled() {
      const left = wroteAt + boundMs - performance.now();
      if (left <= 0) return;
      extendTimeout(left);
      await pause(left);
    },
  };
}
