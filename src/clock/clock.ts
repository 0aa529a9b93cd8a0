/** A clock for kit time: wall time plus an offset. Kit time goes back only when a world is loaded. */
export interface Clock {
  /** Returns kit time, in milliseconds since the Unix epoch. */
  now(): number;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset: number;
  setOffset(offset: number): void;
  observe(listener: () => void): () => void;
}

/** @param readWallTime returns milliseconds since the Unix epoch */
export function createClock(readWallTime: () => number = Date.now): Clock {
  let offset = 0;
  let latest = Number.NEGATIVE_INFINITY;
  const listeners = new Set<() => void>();
  return {
    now() {
      latest = Math.max(latest, readWallTime() + offset);
      return latest;
    },
    get offset() {
      return offset;
    },
    setOffset(value) {
      if (value === offset) return;
      if (value < offset) latest = Number.NEGATIVE_INFINITY;
      offset = value;
      for (const listener of listeners) listener();
    },
    observe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The maximum advance of kit time in one call, in milliseconds: one year. */
const MAX_STEP_MS = 365 * 86_400_000;
/** The maximum offset: one century, in milliseconds, so that years have four digits. */
const MAX_OFFSET_MS = 100 * MAX_STEP_MS;

/** @throws RangeError if `step` or the new offset is too large */
export function advanceOffset(offset: number, step: number): number {
  if (!Number.isSafeInteger(step) || step < 0 || step > MAX_STEP_MS) {
    throw new RangeError(
      `The clock can be moved forward by at most a year (365d) in one call, and only by whole milliseconds. The request was for ${step} ms.`,
    );
  }
  if (offset + step > MAX_OFFSET_MS)
    throw new RangeError('Kit time may be at most a century ahead of wall time. A reset sets kit time to wall time.');
  return offset + step;
}
