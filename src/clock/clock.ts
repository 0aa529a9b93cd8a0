/**
 * Kit time: wall time plus an offset. It only goes back when another world is loaded. If the wall clock is set back, kit time stands still until the wall
 * clock has caught up.
 *
 * Expiry, rate windows, the lag of the users list and `updatedAt` follow it. Socket timeouts follow wall time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, in kit time. */
  now(): number;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /** Sets the offset after a load, a step forward, or a change by another replica. */
  load(offset: number): void;
}

/** @param wall the wall clock, by default that of the machine */
export function createClock(wall: () => number = Date.now): Clock {
  let offset = 0;
  let latest = Number.NEGATIVE_INFINITY;
  return {
    now() {
      latest = Math.max(latest, wall() + offset);
      return latest;
    },
    get offset() {
      return offset;
    },
    load(value) {
      if (value < offset) latest = Number.NEGATIVE_INFINITY;
      offset = value;
    },
  };
}

/** The longest single step forward: a year. */
export const LONGEST_STEP_MS = 365 * 86_400_000;
/** The furthest that kit time may be ahead of wall time: a century, so that years keep four digits. */
const FURTHEST_MS = 100 * LONGEST_STEP_MS;

/** The offset after a step forward, in milliseconds. @throws RangeError if the step or the offset is too large */
export function offsetAfter(offset: number, step: number): number {
  if (!Number.isSafeInteger(step) || step < 0 || step > LONGEST_STEP_MS) {
    throw new RangeError(`The clock moves forward by at most a year (365d) at a time, in whole milliseconds, not by ${step} ms.`);
  }
  if (offset + step > FURTHEST_MS) throw new RangeError('Kit time may be at most a century ahead of wall time; a reset takes it back.');
  return offset + step;
}
