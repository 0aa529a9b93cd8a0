export interface TimedAttempt {
  /** The deadline, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  onDeadline(): void;
}

/** Ends attempts at their deadlines. Uses one timer for all attempts, so they must have the same timeout. */
export function createDeadlines() {
  /** The attempts in the order of their deadlines. This is the order of insertion, because all timeouts are equal. */
  const waiting = new Set<TimedAttempt>();
  let timer: NodeJS.Timeout | undefined;

  function watchFirst(): void {
    const [first] = waiting;
    timer = first && setTimeout(endOverdue, Math.max(0, first.deadline - performance.now()));
  }

  function endOverdue(): void {
    const now = performance.now();
    for (const attempt of waiting) {
      if (attempt.deadline > now) break;
      waiting.delete(attempt);
      attempt.onDeadline();
    }
    watchFirst();
  }

  return {
    add(attempt: TimedAttempt): void {
      waiting.add(attempt);
      if (timer === undefined) watchFirst();
    },
    /** Returns false if the deadline has already passed. */
    delete(attempt: TimedAttempt): boolean {
      const isInTime = waiting.delete(attempt);
      if (waiting.size === 0) {
        clearTimeout(timer);
        timer = undefined;
      }
      return isInTime;
    },
  };
}

export const createTimeoutMessage = (timeoutMs: number): string => `timeout after ${timeoutMs} ms`;
