/**
 * Kit time: wall time plus an offset. It never stands still for long and never goes back, but for a load: a wall clock that is set back is waited for.
 *
 * Everything that the service promises about time follows it: expiry, rate windows, the lag of the users list, `updatedAt`. What protects this
 * process (socket timeouts) stays on wall time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, in kit time. */
  now(): number;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /** Sets the offset, as a load, a step forward or another replica says. */
  load(offset: number): void;
}

/** A clock over the wall clock given, by default the machine's. */
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
/** As far ahead of wall time as kit time may get: a century, so that every instant can be written in four-digit years. */
const FURTHEST_MS = 100 * LONGEST_STEP_MS;

/** The offset after a step forward. @throws RangeError that says what would be right. */
export function offsetAfter(offset: number, step: number): number {
  if (!Number.isSafeInteger(step) || step < 0 || step > LONGEST_STEP_MS) {
    throw new RangeError(`The clock moves forward by at most a year (365d) at a time, in whole milliseconds, not by ${step} ms.`);
  }
  if (offset + step > FURTHEST_MS) throw new RangeError('Kit time may be at most a century ahead of wall time; a reset takes it back.');
  return offset + step;
}
