import { setTimeout as pause } from 'node:timers/promises';
import { allow } from './running-check.ts';

/** Hides from checks that lists show writes only after some time. All clients of a worker share one object. */
export interface ListLag {
  /** Records that a write was sent now. */
  wrote(): void;
  /** Waits until the lists show the last write. */
  settled(): Promise<void>;
}

/** @param boundMs the longest time until the lists of the target show a write, in milliseconds */
export function createListLag(boundMs: number): ListLag {
  let wroteAt = Number.NEGATIVE_INFINITY;
  return {
    wrote() {
      wroteAt = performance.now();
    },
    async settled() {
      const left = wroteAt + boundMs - performance.now();
      if (left <= 0) return;
      allow(left);
      await pause(left);
    },
  };
}
