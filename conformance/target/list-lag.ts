import { waitInRealTime } from './check-report.ts';

/** Delays list requests until the lists show the last write. A worker's clients share one ListLag. */
export interface ListLag {
  /** Must be called after each write. */
  recordWrite(): void;
  waitUntilSettled(): Promise<void>;
}

/** @param boundMs the longest time, in milliseconds, until the target's lists show a write */
export function createListLag(boundMs: number): ListLag {
  let wroteAt = Number.NEGATIVE_INFINITY;
  return {
    recordWrite() {
      wroteAt = performance.now();
    },
    async waitUntilSettled() {
      const left = wroteAt + boundMs - performance.now();
      if (left > 0) await waitInRealTime(left);
    },
  };
}
