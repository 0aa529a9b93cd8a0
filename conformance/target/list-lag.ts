import { setTimeout as pause } from 'node:timers/promises';
import { allow } from './running-check.ts';

/** Lets checks read lists that lag behind writes, as if they did not. One object for all clients of a worker. */
export interface ListLag {
  /** Call this after a write. */
  wrote(): void;
  /** Waits until the lists show the last write. */
  settled(): Promise<void>;
}

/** @param boundMs within how many milliseconds the lists of the target show a write */
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
