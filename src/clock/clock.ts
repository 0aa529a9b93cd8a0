/**
 * Kit time: wall time plus an offset. It never stands still and never goes back, but for a load.
 *
 * Everything that the service promises about time follows it: expiry, rate windows, the lag of the users list, `updatedAt`. What protects this
 * process (socket timeouts) stays on wall time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, in kit time. */
  now(): number;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /** Moves kit time forward. @throws RangeError on a negative or fractional step. */
  advance(ms: number): void;
  /** Sets the offset, as a load or another replica says. */
  load(offset: number): void;
}

/** A clock over the wall clock given, by default the machine's. */
export function createClock(wall: () => number = Date.now): Clock {
  let offset = 0;
  return {
    now: () => wall() + offset,
    get offset() {
      return offset;
    },
    advance(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`the clock moves forward by whole milliseconds, not by ${ms}`);
      offset += ms;
    },
    load(value) {
      offset = value;
    },
  };
}
